'use strict';
// Which callbacks the hooks see of a server's handle, which has none for its end, and of connections.
const { createHook } = require('node:async_hooks');
const net = require('node:net');

const kTypes = ['TCPSERVERWRAP', 'TCPWRAP', 'TCPCONNECTWRAP'];
const seen = new Map();
const hook = createHook({
  init(id, type, trigger) {
    if (kTypes.includes(type)) seen.set(id, { type, trigger: seen.get(trigger)?.type ?? 'other', before: 0, after: 0, destroy: 0 });
  },
  before: (id) => { if (seen.has(id)) seen.get(id).before++; },
  after: (id) => { if (seen.has(id)) seen.get(id).after++; },
  destroy: (id) => { if (seen.has(id)) seen.get(id).destroy++; },
}).enable();

const server = net.createServer((socket) => {
  socket.end();
  server.close();
}).listen(0, '127.0.0.1', () => {
  net.connect(server.address().port, '127.0.0.1').resume();
});
process.on('exit', () => {
  hook.disable();
  console.log([...seen.values()].sort((a, b) => (a.type < b.type ? -1 : 1)));
});
