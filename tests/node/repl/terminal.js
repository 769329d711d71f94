// A REPL on a terminal that is not there: prompts, colours, editor, interrupts.
const EventEmitter = require('events');
const repl = require('repl');

class Input extends EventEmitter {
  resume() {}
  pause() {}
}
const output = new EventEmitter();
let sent = '';
output.columns = 60;
output.write = (text) => { sent += text; return true; };
const input = new Input();
const server = repl.start({ input, output, terminal: true, useColors: true, preview: false });
server.on('exit', () => console.log('exit'));

(async () => {
  for (const keys of [
    '1+1\r', '({ a: "b" })\r', 'let o = {\r', 'a: 1 }\r', 'o.\t', '\t', '\x15', 'missing\r', '\x1b[A', '\x1b[A', '\x03', 'abandoned', '\x03', 'f(\r', '\x03', '.editor\r', 'function g() {\r',
    '  return 7\r', '\x7f\x7f', '}\r', 'g()', '\x04', '.editor\r', 'not run', '\x03', 'await 1\r', '\x03', '2\r', '\x03', '\x03',
  ]) {
    input.emit('data', keys);
    await new Promise((resolve) => setTimeout(resolve, 10));
    console.log(JSON.stringify(keys), JSON.stringify(sent), JSON.stringify(server.line));
    sent = '';
  }
})();
