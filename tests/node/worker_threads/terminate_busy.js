// terminate() ends programs that never come back to their loop.
const { Worker } = require('node:worker_threads');
const programs = ['for (;;);', 'for (;;) { try { for (;;); } finally { continue; } }', '(function f() { process.nextTick(f); })()',
  '(function f() { Promise.resolve().then(f); })()', '(function f() { setImmediate(f); })()', '/(a+)+b/.test("a".repeat(50))',
  'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)', 'let a = []; for (;;) { a = [a]; if (Math.random() < 1e-4) a = []; }',
  'for (;;) JSON.parse(JSON.stringify({ a: [1, 2, 3] }))'];
(async () => {
  for (const program of programs) {
    const worker = new Worker(`require('node:worker_threads').parentPort.postMessage(1); ${program}`, { eval: true });
    await new Promise((resolve) => worker.on('message', resolve));
    console.log(await worker.terminate(), program);
  }
})();
