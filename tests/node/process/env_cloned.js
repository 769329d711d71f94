// rondo-test: env=SOME=text
// A clone of the environment is a plain object; in a thread its own environment too.
const { MessageChannel, Worker, isMainThread, receiveMessageOnPort } = require('worker_threads');
const copy = structuredClone(process.env);
copy.SOME_OBJECT = {};
console.log(isMainThread, copy.SOME, Object.getPrototypeOf(copy) === Object.prototype, Object.keys(copy).length === Object.keys(process.env).length + 1);
console.log(process.env.SOME_OBJECT, structuredClone([process.env, process.env].map(({ SOME }) => SOME)));
const { port1, port2 } = new MessageChannel();
port1.postMessage({ env: process.env, same: process.env });
const { message } = receiveMessageOnPort(port2);
console.log(message.env.SOME, message.env === message.same);
if (isMainThread) {
  new Worker(__filename, { env: { SOME: 'other' }, execArgv: ['--no-warnings', '--', 'x'] });
} else {
  console.log(process.execArgv);
  try {
    process.execve(process.execPath);
  } catch (error) {
    console.log(error.code, error.message);
  }
}
