// rondo-test: scratch
// Entries of several rows in the history file: read, shown, and written again.
const fs = require('fs');
const repl = require('repl');
const { PassThrough } = require('stream');

const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
(async () => {
  for (const text of ['b\na', 'b\na\n', '', '\n\nb\n', '}\r a\rx = {\nsecond', 'b\r\na\r\n']) {
    fs.writeFileSync('history', text);
    const input = new PassThrough();
    const server = repl.start({ input, output: new PassThrough(), terminal: true });
    await new Promise((resolve) => server.setupHistory('history', resolve));
    console.log(JSON.stringify(server.history));
    input.emit('keypress', '', { name: 'up' });
    console.log(JSON.stringify(server.line));
    server.line = '';
    server.cursor = 0;
    server.write('1\n');
    await pause();
    for (const line of ['var z = {\n', 'q: 1\n', '}\n']) server.write(line);
    await pause();
    server.close();
    await pause();
    console.log(JSON.stringify(fs.readFileSync('history', 'utf8')));
  }
})();
