'use strict';
// AsyncLocalStorage through requests of clients and servers.
const { AsyncLocalStorage } = require('async_hooks');
const { close, compat, note } = require('./fixtures/pair');

const storage = new AsyncLocalStorage();
compat({}, (request, response) => {
  storage.run(request.url, () => {
    request.on('data', () => note('server', request.url, 'data', storage.getStore()));
    request.on('end', () => {
      note('server', request.url, 'end', storage.getStore());
      setImmediate(() => response.end(storage.getStore()));
    });
    response.on('finish', () => note('server', request.url, 'finish'));
  });
}, (client, server) => {
  let left = 3;
  for (const name of ['/a', '/b', '/c']) {
    storage.run(name, () => {
      const request = client.request({ ':path': name, ':method': 'POST' });
      for (const event of ['response', 'data', 'end', 'close']) {
        request.on(event, () => note('client', name, event, storage.getStore() === name));
      }
      request.on('close', () => { if (--left === 0) close(client, server); });
      request.end('body');
    });
  }
});
process.on('exit', () => {});
