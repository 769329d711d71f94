'use strict';
// The task that a message belongs to, stores of AsyncLocalStorage, and what is active.
const dgram = require('dgram');
const { AsyncLocalStorage, createHook, executionAsyncId } = require('async_hooks');
const types = new Map();
createHook({ init(id, type) { types.set(id, type); } }).enable();
const storage = new AsyncLocalStorage();

const server = storage.run('made here', () => dgram.createSocket('udp4'));
const client = dgram.createSocket('udp4');
server.on('message', () => {
  console.log(types.get(executionAsyncId()), storage.getStore());
  // Standard output may be among them, by what it is connected to.
  console.log(process.getActiveResourcesInfo().filter((name) => name.startsWith('UDP')));
  server.close();
  client.close();
});
server.bind(0, '127.0.0.1', () => client.send('x', server.address().port, '127.0.0.1'));
