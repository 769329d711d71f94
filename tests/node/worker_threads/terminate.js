// terminate(), whatever the Worker does.
const { Worker } = require('node:worker_threads');
const programs = [
  'for (;;);',
  'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
  'setInterval(() => {}, 1000)',
  'process.on("exit", () => console.log("never"))\nsetInterval(() => {}, 1000)',
  'async function f() { for (;;) await 1 } f()',
  '(function f() { process.nextTick(f) })()',
  'try { for (;;); } finally { console.log("never") }',
];
(async () => {
  for (const source of programs) {
    const worker = new Worker(source, { eval: true });
    await new Promise((resolve) => worker.on('online', resolve));
    const events = [];
    worker.on('exit', (code) => events.push(['exit', code]));
    worker.on('error', (error) => events.push(['error', error]));
    const code = await worker.terminate();
    console.log(code, events, await worker.terminate(), worker.threadId);
  }
  const early = new Worker('console.log("may not run")', { eval: true, stdout: true });
  console.log(typeof await early.terminate());
})();
