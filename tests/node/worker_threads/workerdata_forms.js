// What workerData can be.
const { Worker } = require('node:worker_threads');
const source = 'const { workerData, parentPort } = require("node:worker_threads"); parentPort.postMessage(workerData);';
const forms = [undefined, null, 0, -0, NaN, 10n, 'text', true, [1, , 3], new Map([[1, { a: 2 }]]), new Set('ab'),
  new Date(0), /x/gi, new Error('oops'), new Uint16Array([1, 2]), Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true } })];
(async () => {
  for (const workerData of forms) {
    const worker = new Worker(source, { eval: true, workerData });
    const back = await new Promise((resolve) => worker.on('message', resolve));
    console.log(back instanceof Error ? `${back}` : back);
  }
  for (const workerData of [() => {}, Symbol('x'), { f() {} }, new WeakMap(), Promise.resolve()]) {
    try {
      new Worker(source, { eval: true, workerData });
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }
})();
