// The ways in which a Worker ends.
const { Worker } = require('node:worker_threads');
const programs = {
  'to its end': '',
  'process.exit()': 'process.exit()',
  'process.exit(7)': 'process.exit(7); throw 1',
  'exitCode': 'process.exitCode = 3',
  'in a listener': 'process.on("exit", (code) => { process.exitCode = code + 40 })',
  'exit in exit': 'process.on("exit", () => process.exit(6))',
  'in a timer': 'setTimeout(() => process.exit(8), 1); setInterval(() => {}, 1000)',
  'in a promise': 'Promise.resolve().then(() => process.exit(11))',
  'in a tick': 'process.nextTick(() => process.exit(12))',
  'beforeExit': 'let n = 0; process.on("beforeExit", () => { if (++n < 3) setImmediate(() => {}); else process.exitCode = n })',
  'unsettled await': 'import("data:text/javascript,await new Promise(() => {})")',
};
(async () => {
  for (const [name, source] of Object.entries(programs)) {
    const worker = new Worker(source, { eval: true });
    console.log(name, await new Promise((resolve) => worker.on('exit', resolve)));
  }
})();
