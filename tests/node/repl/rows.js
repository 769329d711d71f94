// Commands of several rows on a terminal: breaking a row, moving between rows, the history, colours.
const EventEmitter = require('events');
const repl = require('repl');

class Input extends EventEmitter {
  resume() {}
  pause() {}
}
const kUp = '\x1b[A', kDown = '\x1b[B', kLeft = '\x1b[D', kHome = '\x1b[H';

async function session(title, options, keys) {
  console.log(title);
  const output = new EventEmitter();
  let sent = '';
  output.columns = 40;
  output.write = (text) => { sent += text; return true; };
  const input = new Input();
  const server = repl.start({ input, output, terminal: true, preview: false, ...options });
  for (const key of keys) {
    input.emit('data', key);
    await new Promise((resolve) => setTimeout(resolve, 5));
    console.log(JSON.stringify(key), JSON.stringify(sent), JSON.stringify(server.line), server.cursor);
    sent = '';
  }
  console.log(server.history);
  server.close();
}

(async () => {
  await session('a row is broken where the cursor is', { useColors: false },
    ['[1,', '\r', '22,', '\r', '333', kUp, kLeft, kLeft, '\r', kDown, kDown, ']', '\r']);
  await session('the first row is broken', { useColors: false },
    ['f(1,', '\r', '2', kUp, kHome, '\x06\x06', '\r', '\x03']);
  await session('the cursor keeps its column', { useColors: false },
    ['`a long row', '\r', 'b', '\r', 'another row', kUp, kUp, kDown, kDown, kUp, kLeft, kUp, '\x03']);
  await session('the history', { useColors: false },
    ['let a = {', '\r', 'b: 1 }', '\r', '7', '\r', kUp, kUp, kUp, kUp, kDown, kDown, '\x10', '\x10', '\r', 'nope.x', '\r', kUp, '\r', '1', '\r', kUp, kUp]);
  await session('undo and redo', { useColors: false },
    ['(1', '\r', '+2', '\x1f', '\x1e', '\x15', '\x19', '\x17', '\r', ')', '\r']);
  await session('colours', { useColors: true },
    ['/re/g; "text', '"', ' + true', ' + null', ' // why', '\r', 'class A { #x = 1n', '\r', ' /* c */ }', '\r', '`t${1}`', '\r', 'NaN, Symbol', '\r', 'import("fs"', '\x03']);
  await session('a custom evaluator', { useColors: false, eval: (code, context, file, done) => {
    done(code.includes('end') ? null : new repl.Recoverable(new SyntaxError('more')), JSON.stringify(code));
  } }, ['first', '\r', 'second', '\r', kUp, kUp, ' end', '\r']);
})();
