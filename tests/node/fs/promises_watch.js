// rondo-test: scratch
'use strict';
// fs.promises.watch(): an iterator of events.
const fs = require('fs');

async function main() {
  fs.mkdirSync('folder');
  setImmediate(() => fs.mkdirSync('folder/one'));
  for await (const event of fs.promises.watch('folder')) {
    console.log(event);
    break;
  }
  const controller = new AbortController();
  setImmediate(() => fs.mkdirSync('folder/two'));
  try {
    for await (const event of fs.promises.watch('folder', { signal: controller.signal })) {
      console.log(event);
      controller.abort('enough');
    }
  } catch (error) {
    console.log(error.name, error.code, error.cause);
  }
  setImmediate(() => fs.mkdirSync('folder/three'));
  try {
    for await (const event of fs.promises.watch('folder', { maxQueue: 1, overflow: 'error' })) {
      console.log(event);
      fs.mkdirSync('folder/four');
      fs.mkdirSync('folder/five');
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve))); // the poll phase lies between
    }
  } catch (error) {
    console.log(error.code, error.message);
  }
  setImmediate(() => fs.mkdirSync('folder/one/inner'));
  for await (const event of fs.promises.watch('folder', { recursive: true })) {
    console.log(event);
    break;
  }
  for (const options of [1, { persistent: 1 }, { overflow: 'x' }, { maxQueue: 1.5 }, { encoding: 'x' },
    { signal: 1 }, { signal: AbortSignal.abort('before') }, { ignore: {} }]) {
    try {
      for await (const event of fs.promises.watch('folder', options)) console.log(event);
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }
  try {
    for await (const event of fs.promises.watch('missing')) console.log(event);
  } catch (error) {
    console.log(error.code, error.message, error.filename);
  }
}
main();
