// rondo-test: option=--no-warnings
// Each thread has hooks of its own.
import { register } from 'node:module';
import { Worker } from 'node:worker_threads';

const hooks = `data:text/javascript,${encodeURIComponent(`
  export async function resolve(specifier, context, next) {
    return specifier === 'x:y' ? { shortCircuit: true, url: 'data:text/javascript,export default "hooked"' } : next(specifier);
  }`)}`;
register(hooks);
console.log((await import('x:y')).default);
const worker = new Worker(`
  const { register } = require('module');
  const { parentPort } = require('worker_threads');
  import('x:y').catch((error) => {
    parentPort.postMessage(error.code);
    register(${JSON.stringify(hooks)});
    return import('x:y');
  }).then((found) => parentPort.postMessage(found.default));`, { eval: true });
worker.on('message', console.log);
