// Commands typed into repl.start(), and what it answers.
const repl = require('repl');
const { PassThrough } = require('stream');

async function session(title, options, lines) {
  console.log(`==== ${title}`);
  const input = new PassThrough();
  const output = new PassThrough().setEncoding('utf8');
  const server = repl.start({ prompt: '> ', input, output, ...options });
  server.on('exit', () => console.log('exit'));
  output.read();
  for (const line of lines) {
    input.write(`${line}\n`);
    await new Promise((resolve) => setTimeout(resolve, line.includes('await') ? 20 : 1));
    console.log(line);
    // Where in a command an error was thrown, without the frames of the runtime.
    const answer = output.read() ?? '';
    for (const part of answer.split('\n')) if (!/^ {4}at .*\bnode:/.test(part)) console.log(`    ${part}`);
  }
  server.close();
  await new Promise(setImmediate);
}

(async () => {
  await session('values', {}, [
    '1 + 1', '_ + 1', "'text'", 'undefined', '', 'let a = { b: [1, { c: 2 }] }', 'a', '{ x: 1 }', '{ x: 1 };', '{}', ';{ x: 1 }',
    'var v = 1; v', 'v', 'implicit = 5', 'function f() { return this === globalThis }', 'f()', 'class A {}', 'new A', 'Symbol("s")',
    'typeof require + typeof module + typeof exports', 'module.id', 'path.basename("/a/b")', '[] instanceof Array', 'this === globalThis',
    'console.log("to the output")', '_', '_ = 3', '4', '_', '// only a comment', '.5 + 1', '"\\u00e9"', 'new Map([[1, 2]])',
  ]);
  await session('several lines', {}, [
    'let o = {', 'a: 1,', '}', 'o', '`one', 'two`', '/*', '*/ 1', '[1,', '2]', 'f(', '.break', '1 +', '', '2', "'a\\", "b'",
    'function g(', 'x) {', 'if (x) {', 'return 1', '}', '}', 'g(1)', 'try {', '} finally {', '}', 'if (1)', '2', '() => {', '}',
    '{ "k": ', '1 }', '{', '}', 'async function h() {', 'await 1', '}', 'await (', '5)',
  ]);
  await session('errors', {}, [
    'throw new Error("top")', 'missing', 'null.x', 'throw 1', 'throw null', 'throw { a: 1 }', '_error', 'a b', ')', "'open", 'return 1',
    'const once = 1', 'const once = 2', 'once', 'function thrower() { throw new RangeError("deep") }', 'thrower()', '_error.message',
    'Object.assign(new Error("m"), { code: "C" })  && 1', 'throw Object.assign(new Error("m"), { code: "C" })', "import x from 'fs'",
    'Promise.reject(new Error("later")); 0', 'setTimeout(() => { throw new Error("timer") }, 0); 0', '', '', 'process.nextTick(() => missing2); 1', '_error = 1', 'npm install x',
  ]);
  await session('await', {}, [
    'await 1', 'let x = await 2', 'x', 'const [y, { z }] = [await 3, { z: 4 }]', 'y + z', 'var w = (await 5) + 1; w', 'await Promise.resolve("p")',
    'for await (const i of [1, 2]) { globalThis.last = i }', 'last', 'function k() { return 7 } await k()', 'k()', 'class B {}; await 1; B.name', 'new B() instanceof B',
    'if (await true) { var inner = 8 }', 'inner', '(async () => await 1)() instanceof Promise', '"await"', 'await null; undefined',
  ]);
  await session('strict', { replMode: repl.REPL_MODE_STRICT }, ['undeclared = 1', '(function () { return this })()', 'let q = 1', 'q']);
  await session('quiet', { ignoreUndefined: true, useColors: true }, ['undefined', 'let m = 1', 'm', "'s'", 'null', '({ a: undefined })']);
  await session('own eval and writer', {
    eval: (code, context, file, done) => (code.includes('!') ? done(new Error('shouted')) : done(null, code.trim())),
    writer: (value) => `<${value instanceof Error ? value.message : value}>`,
  }, ['a word', 'stop!', '.help me']);
})();
