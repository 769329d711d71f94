'use strict';
// Types of tasks that sessions and streams are.
const { createHook } = require('async_hooks');
const { close, collect, note, pair } = require('./fixtures/pair');

const counts = {};
createHook({
  init(id, type) { if (type.startsWith('HTTP2')) counts[type] = (counts[type] ?? 0) + 1; },
}).enable();
pair({}, (stream) => {
  stream.respond();
  stream.end();
}, (client, server) => {
  client.on('connect', () => client.ping(() => {
    collect(client.request(), () => {
      close(client, server);
      for (const type of Object.keys(counts).sort()) note('all', type, counts[type]);
    });
  }));
});
