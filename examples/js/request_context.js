// AsyncLocalStorage: what belongs to one request follows it through timers, ticks, files and await, however the requests
// are mixed up on the loop.
const { AsyncLocalStorage } = require('node:async_hooks');
const fs = require('node:fs/promises');
const { setTimeout: sleep } = require('node:timers/promises');

const request = new AsyncLocalStorage();

function log(what) {
  console.log(`request ${request.getStore().id}: ${what}`);
}

async function handle(delay) {
  log('begins');
  await sleep(delay);
  log(`goes on after ${delay} ms`);
  await fs.readFile(__filename);
  setImmediate(() => process.nextTick(log, 'a tick in an immediate after a file still knows whose it is'));
}

request.run({ id: 1 }, handle, 20);
request.run({ id: 2 }, handle, 5);
