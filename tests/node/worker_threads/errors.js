// What a Worker throws, as its parent sees it.
const { Worker } = require('node:worker_threads');
const sources = [
  'throw new TypeError("no")',
  'throw Object.assign(new RangeError("far"), { code: "EFAR", extra: [1] })',
  'throw 5',
  'throw { plain: true }',
  'throw Symbol("s")',
  'throw null',
  'throw new Error("outer", { cause: new TypeError("inner") })',
  'Promise.reject(new Error("rejected"))',
  'class Own extends Error { name = "Own" } throw new Own("own")',
  'throw () => {}',
  'let x = 1; let x = 2;',
  'require("./missing")',
  'process.on("uncaughtException", () => { throw new Error("in the handler") }); throw new Error("first")',
  'process.on("exit", () => { process.exitCode = 9 }); throw new Error("with code")',
];
async function show(source) {
  const worker = new Worker(source, { eval: true });
  const result = await new Promise((resolve) => {
    let error;
    worker.on('error', (value) => { error = { value }; });
    worker.on('exit', (code) => resolve({ error, code }));
  });
  const { error, code } = result;
  console.log(source);
  if (error === undefined) console.log('  no error');
  else if (error.value instanceof Error) {
    const { name, message, constructor, cause } = error.value;
    console.log('  ', constructor.name, name, message.split('\n')[0], error.value.code, error.value.extra, cause?.message);
    console.log('  ', Object.prototype.toString.call(error.value), typeof error.value.stack);
  } else console.log('  ', error.value);
  console.log('  exit', code);
}
(async () => {
  for (const source of sources) await show(source);
})();
