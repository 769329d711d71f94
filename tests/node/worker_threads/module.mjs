// ES modules in Workers: a file, a data: URL, top-level await, import.meta.
import { Worker, isMainThread, parentPort } from 'node:worker_threads';
if (isMainThread) {
  const file = new Worker(new URL(import.meta.url));
  file.on('message', (message) => console.log(message));
  await new Promise((resolve) => file.on('exit', resolve));
  const data = new Worker(new URL(`data:text/javascript,
    import { parentPort } from 'node:worker_threads';
    parentPort.postMessage([import.meta.url.slice(0, 22), typeof require]);`));
  data.on('message', (message) => console.log(message));
  await new Promise((resolve) => data.on('exit', resolve));
  const failing = new Worker(new URL('data:text/javascript,await null; throw new Error("late")'));
  failing.on('error', (error) => console.log(error.message));
  failing.on('exit', (code) => console.log('exit', code));
} else {
  await new Promise((resolve) => setTimeout(resolve, 1));
  parentPort.postMessage([import.meta.filename.endsWith('module.mjs'), import.meta.main]);
}
