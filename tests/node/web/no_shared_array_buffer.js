// V8 without SharedArrayBuffer: streams and Workers do without.
// rondo-test: option=--enable-sharedarraybuffer-per-context
const { Worker } = require('node:worker_threads');

console.log(typeof SharedArrayBuffer, structuredClone({ a: 5 }));
const stream = new ReadableStream({ start(controller) { controller.enqueue(new Uint8Array(2)); controller.close(); } });
stream.getReader().read().then(console.log);
new Worker('process.exit(typeof SharedArrayBuffer === "undefined" ? 2 : 3)', { eval: true }).on('exit', console.log);
