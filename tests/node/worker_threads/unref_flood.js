// A Worker that is unref'd floods its parent, which ends all the same when its own work is done.
const { Worker } = require('node:worker_threads');
const worker = new Worker(`
  const { parentPort } = require('node:worker_threads');
  function flood() {
    for (let i = 0; i < 100; i++) parentPort.postMessage(i);
    setImmediate(flood);
  }
  flood();
`, { eval: true });
worker.once('message', () => {
  let count = 0;
  worker.on('message', () => { count++; });
  worker.unref();
  const timer = setInterval(() => {
    if (count === 0) return;
    console.log('done');
    clearInterval(timer);
  }, 20);
});
process.on('exit', (code) => console.log('exit', code));
