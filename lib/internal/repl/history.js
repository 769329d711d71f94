'use strict';
// The history in a file, the newest line first.
//
// It is written before a line is evaluated, whole, into a new file that then replaces the
// old one: neither a crash of the program nor one of the machine leaves half of it.

const kOwnerOnly = 0o600;

function report(server, problem) {
  server.output.write(`\nError: ${problem}\nREPL session history will not be persisted.\n`);
  server.displayPrompt();
  explainOnce(server);
}

function inHome(name) {
  return require('path').join(require('os').homedir(), name);
}

// Of the REPL of the command line. '' turns the file off; undefined means no home folder.
function pathFromEnvironment(env) {
  const path = env.RONDO_REPL_HISTORY ?? env.NODE_REPL_HISTORY;
  if (path !== undefined) return path.trim();
  try {
    return inHome('.rondo_repl_history');
  } catch {
    return undefined;
  }
}

// Without a file, and without a line that was typed before, arrow up says why nothing comes.
function explainOnce(server) {
  server._historyPrev = function() {
    delete this._historyPrev;
    if (this.history.length === 0) {
      this._writeToOutput('\nPersistent history support disabled. Set the NODE_REPL_HISTORY ' +
        'environment\nvariable to a valid, user-writable path to enable.\n');
      this._refreshLine();
    }
    return this._historyPrev();
  };
}

class HistoryFile {
  constructor(path) {
    const fs = require('fs');
    // Creates it, and finds out whether we may write there.
    fs.closeSync(fs.openSync(path, 'a+', kOwnerOnly));
    this.path = fs.realpathSync(path); // not the link, which must stay one
  }

  read(most) {
    const text = require('fs').readFileSync(this.path, 'utf8');
    // The rows of an entry are separated by \r.
    return text === '' ? [] : text.split(/\r?\n+/, most);
  }

  write(lines) {
    const fs = require('fs');
    const partial = `${this.path}.${process.pid}`;
    try {
      fs.writeFileSync(partial, lines.join('\n'), { mode: kOwnerOnly });
      fs.renameSync(partial, this.path);
    } catch {
      // A folder in which no files can be created: the file itself could be opened.
      fs.writeFileSync(this.path, lines.join('\n'), { mode: kOwnerOnly });
    }
  }
}

// Calls back with (null, server), also when there is no file.
function setupHistory(server, path, ready) {
  const done = () => process.nextTick(ready, null, server);
  if (typeof path === 'string') path = path.trim();
  if (path === '') {
    explainOnce(server);
    done();
    return;
  }
  if (!path) {
    try {
      path = inHome('.node_repl_history');
    } catch {
      report(server, 'Could not get the home directory.');
      done();
      return;
    }
  }
  let file;
  try {
    file = new HistoryFile(path);
    server.history.push(...file.read(server.historySize));
  } catch {
    report(server, 'Could not open history file.');
    done();
    return;
  }
  let broken = false;
  server.on('history', (lines) => {
    if (broken) return;
    try {
      file.write(lines);
      server.emit('flushHistory');
    } catch {
      broken = true; // one message would be in the way, and more of them more
    }
  });
  done();
}

module.exports = { pathFromEnvironment, setupHistory };
