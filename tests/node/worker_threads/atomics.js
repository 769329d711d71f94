// Atomics.wait() and waitAsync() between threads.
const { Worker } = require('node:worker_threads');
const memory = new Int32Array(new SharedArrayBuffer(16));
const worker = new Worker(`
  const { workerData: memory } = require('worker_threads');
  Atomics.store(memory, 1, 1);
  const result = Atomics.wait(memory, 0, 0);
  Atomics.store(memory, 2, result === 'ok' ? 1 : 2);
  Atomics.notify(memory, 2);
`, { eval: true, workerData: memory });
const { async: isAsync, value } = Atomics.waitAsync(memory, 2, 0);
console.log(isAsync);
value.then((result) => console.log(result, memory[2]));
(function wake() {
  if (Atomics.notify(memory, 0) === 0) setTimeout(wake, 1);
})();
worker.on('exit', (code) => console.log('exit', code));
console.log(Atomics.wait(memory, 3, 0, 5), Atomics.wait(memory, 3, 1));
