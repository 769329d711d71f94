'use strict';
// The commands that begin with a dot.

function leave(server) {
  server.clearBufferedCommand();
  server.displayPrompt();
}

// In editor mode lines are gathered until ctrl-d, without prompts.
function enterEditorMode(server) {
  server.editorMode = true;
  server.setPromptOnly('');
}

function leaveEditorMode(server) {
  server.editorMode = false;
  server.setPromptOnly(server._initialPrompt);
}

// Its whole text is one command: what is declared in one line can be used in the next.
function load(server, file) {
  const fs = require('fs');
  if (file === '') {
    server.output.write('The "file" argument must be specified\n');
    server.displayPrompt();
    return;
  }
  try {
    const stats = fs.statSync(file);
    if (stats?.isFile()) {
      const text = fs.readFileSync(file, 'utf8');
      server.loadText(text);
    } else {
      server.output.write(`Failed to load: ${file} is not a valid file\n`);
    }
  } catch {
    server.output.write(`Failed to load: ${file}\n`);
  }
  server.displayPrompt();
}

function save(server, file) {
  if (file === '') {
    server.output.write('The "file" argument must be specified\n');
    server.displayPrompt();
    return;
  }
  try {
    require('fs').writeFileSync(file, server.lines.join('\n'));
    server.output.write(`Session saved to: ${file}\n`);
  } catch {
    server.output.write(`Failed to save: ${file}\n`);
  }
  server.displayPrompt();
}

function help(server) {
  const names = Object.keys(server.commands).sort();
  const width = Math.max(...names.map((name) => name.length));
  for (const name of names) {
    const { help: text } = server.commands[name];
    const gap = text ? ' '.repeat(width - name.length + 3) : '';
    server.output.write(`.${name}${gap}${text || ''}\n`);
  }
  server.output.write('\nPress Ctrl+C to abort current expression, Ctrl+D to exit the REPL\n');
  server.displayPrompt();
}

function defineCommands(server) {
  server.defineCommand('break', {
    help: 'Sometimes you get stuck, this gets you out',
    action() { leave(this); },
  });
  server.defineCommand('clear', {
    help: server.useGlobal ? 'Alias for .break' : 'Break, and also clear the local context',
    action() {
      this.clearBufferedCommand();
      if (!this.useGlobal) {
        this.output.write('Clearing context...\n');
        this.resetContext();
      }
      this.displayPrompt();
    },
  });
  server.defineCommand('exit', {
    help: 'Exit the REPL',
    action() { this.close(); },
  });
  server.defineCommand('help', {
    help: 'Print this help message',
    action() { help(this); },
  });
  server.defineCommand('save', {
    help: 'Save all evaluated commands in this REPL session to a file',
    action(file) { save(this, file); },
  });
  server.defineCommand('load', {
    help: 'Load JS from a file into the REPL session',
    action(file) { load(this, file); },
  });
  if (server.terminal) {
    server.defineCommand('editor', {
      help: 'Enter editor mode',
      action() {
        enterEditorMode(this);
        this.output.write('// Entering editor mode (Ctrl+D to finish, Ctrl+C to cancel)\n');
      },
    });
  }
}

module.exports = { defineCommands, enterEditorMode, leaveEditorMode };
