// rondo-test: scratch
// The commands with a dot, and one's own.
const fs = require('fs');
const repl = require('repl');
const { PassThrough } = require('stream');

const input = new PassThrough();
const output = new PassThrough().setEncoding('utf8');
const server = repl.start({ prompt: '> ', input, output });
server.on('exit', () => console.log('exit', server.closed));
server.on('reset', (context) => console.log('reset', context === server.context));
server.defineCommand('say', {
  help: 'Says it',
  action(text) {
    this.clearBufferedCommand();
    this.output.write(`said ${JSON.stringify(text)}\n`);
    this.displayPrompt();
  },
});
server.defineCommand('short', function() { this.output.write('short\n'); });
try { server.defineCommand('wrong', {}); } catch (e) { console.log(e.code, e.message); }
server.context.given = 42;
fs.writeFileSync('load.js', 'const loaded = 1;\nfunction twice(x) {\n  return 2 * x;\n}\ntwice(loaded)\n');

(async () => {
  for (const line of [
    'given', '.help', '.say  hello world ', '.short', '.unknown', '. ', '..', '.5', 'f(', '.unknown', '.break', 'let kept = 1', '.clear', 'typeof kept',
    'var a = 1', 'function g() {', '  return a;', '}', 'throw 1', 'a b', '.save saved.js', '.save', '.save no/such/folder', '.load load.js', 'twice(21)', '.load', '.load missing.js', '.load .', '.editor', '.exit',
  ]) {
    input.write(`${line}\n`);
    await new Promise((resolve) => setTimeout(resolve, 1));
    console.log(line);
    console.log((output.read() ?? '').replace(/^/gm, '    '));
  }
  console.log(JSON.stringify(fs.readFileSync('saved.js', 'utf8')));
})();
