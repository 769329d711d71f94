// What complete() proposes.
const repl = require('repl');
const { PassThrough } = require('stream');

const input = new PassThrough();
const server = repl.start({ prompt: '', input, output: new PassThrough() });
input.write('var inner = { one: 1, two: { three: 3 }, "not a name": 4, 5: 6 }; function fun() {}\n');
input.write('var derived = Object.create(inner); derived.own = 1;\n');

setTimeout(() => {
  for (const text of [
    'inner.o', 'inner.two.t', 'inner?.two?.th', 'inner["two"].th', 'var x = inner.o', 'derived.o', 'inner.none', 'missing.x', 'inn',
    'console.lo', 'Math.flo', "'text'.toUp", '``.at', '[].fla', 'JSON.', '.he', '.', '.zz', "require('fs/", "require('node:fs", "require('fs'", 'inner.', 'instanceo', 'retu',
  ]) {
    server.complete(text, (error, [completions, on]) => console.log(JSON.stringify(text), error, completions, on));
  }
  server.close();
}, 5);
