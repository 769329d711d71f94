// ref() and unref() of a Worker and of parentPort.
const { Worker } = require('node:worker_threads');
const forever = new Worker('setInterval(() => {}, 1000)', { eval: true });
forever.unref();
forever.on('exit', () => console.log('never'));
const listening = new Worker('require("worker_threads").parentPort.on("message", () => {})', { eval: true });
listening.unref();
const finite = new Worker('require("worker_threads").parentPort.on("message", () => {}).unref()', { eval: true });
finite.on('exit', (code) => console.log('finite', code));
process.on('exit', (code) => console.log('main', code));
