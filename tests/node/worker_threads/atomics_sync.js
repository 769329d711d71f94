// Two threads take turns by Atomics.wait() and notify().
const { Worker } = require('node:worker_threads');
const memory = new Int32Array(new SharedArrayBuffer(12));
const worker = new Worker(`
  const { workerData: memory } = require('node:worker_threads');
  for (let i = 0; i < 100; i++) {
    Atomics.wait(memory, 0, 0);
    memory[1] += 1;
    Atomics.store(memory, 0, 0);
    Atomics.notify(memory, 0);
  }
`, { eval: true, workerData: memory });
for (let i = 0; i < 100; i++) {
  Atomics.store(memory, 0, 1);
  Atomics.notify(memory, 0);
  Atomics.wait(memory, 0, 1);
}
console.log(memory[1]);
console.log(Atomics.wait(memory, 2, 0, 5), Atomics.wait(memory, 2, 1));
worker.on('exit', (code) => console.log('exit', code));
