// What a Worker throws, as its parent has it.
const { Worker } = require('node:worker_threads');
const programs = ['throw new TypeError("bad")', 'throw 5', 'throw null', 'throw undefined', 'throw { a: 1 }',
  'Promise.reject(new Error("rejected"))', 'Promise.reject(7)', 'class E extends RangeError {}; throw new E("mine")',
  'const e = new Error("with"); e.code = "X"; e.extra = { deep: [1] }; throw e', 'process.nextTick(() => { throw new Error("tick"); })',
  'throw new AggregateError([new Error("one")], "many")', 'throw new Error("outer", { cause: new Error("inner") })',
  'require("./missing.js")', 'syntax error here'];
(async () => {
  for (const program of programs) {
    const worker = new Worker(program, { eval: true });
    const ended = new Promise((resolve) => worker.on('exit', resolve));
    const error = await new Promise((resolve) => worker.on('error', resolve));
    const code = await ended;
    if (error instanceof Error) {
      console.log(error.constructor.name, error.name, error.message.split('\n')[0], error.code, error.extra,
        error.cause?.message, error.errors?.length, code);
    } else {
      console.log(typeof error, error, code);
    }
  }
})();
