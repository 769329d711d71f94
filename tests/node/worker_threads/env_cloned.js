// process.env in messages: a copy that is an ordinary object.
const { Worker, isMainThread, workerData, parentPort } = require('node:worker_threads');

if (isMainThread) {
  process.env.TEST_VALUE = 'a';
  process.env[42] = 'number';
  const clone = structuredClone({ first: process.env, second: process.env });
  console.log(clone.first === clone.second, Object.getPrototypeOf(clone.first) === Object.prototype);
  console.log(clone.first.TEST_VALUE, clone.first[42], Object.keys(clone.first).length === Object.keys(process.env).length);
  clone.first.TEST_VALUE = 'b';
  console.log(process.env.TEST_VALUE, Object.getOwnPropertyDescriptor(clone.first, 'TEST_VALUE'));
  const worker = new Worker(__filename, { workerData: process.env, env: { OTHER: 'c' } });
  worker.on('message', console.log);
} else {
  parentPort.postMessage([workerData.TEST_VALUE, workerData.OTHER, process.env.OTHER]);
  parentPort.postMessage(process.env);
}
