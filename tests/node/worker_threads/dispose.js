// Symbol.asyncDispose, and events of process and diagnostics_channel.
const { Worker } = require('node:worker_threads');
require('node:diagnostics_channel').subscribe('worker_threads', ({ worker }, name) => console.log(name, worker instanceof Worker));
process.on('worker', (worker) => console.log('worker', worker instanceof Worker));
(async () => {
  {
    await using worker = new Worker('setInterval(() => {}, 1000)', { eval: true });
    worker.on('exit', (code) => console.log('exit', code));
  }
  console.log('after');
})();
