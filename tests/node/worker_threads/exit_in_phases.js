// process.exit() in a Worker: what runs after it, and what the parent hears.
const { Worker } = require('node:worker_threads');
const places = {
  main: 'process.exit(1)',
  tick: 'process.nextTick(() => process.exit(2))',
  microtask: 'Promise.resolve().then(() => process.exit(3))',
  timer: 'setTimeout(() => process.exit(4), 1)',
  immediate: 'setImmediate(() => process.exit(5))',
  message: 'require("node:worker_threads").parentPort.once("message", () => process.exit(6))',
  code: 'process.exitCode = 7',
  listener: 'process.on("exit", (code) => { process.exitCode = code + 8; })',
};
(async () => {
  for (const [name, program] of Object.entries(places)) {
    const worker = new Worker(`
      const { parentPort } = require("node:worker_threads");
      process.on("exit", (code) => parentPort.postMessage("exit " + code));
      ${program};
      process.nextTick(() => parentPort.postMessage("a later tick"));
    `, { eval: true });
    worker.postMessage('go');
    const seen = [];
    worker.on('message', (message) => seen.push(message));
    const code = await new Promise((resolve) => worker.on('exit', resolve));
    console.log(name, code, seen);
  }
})();
