'use strict';
// Entries of the type 'net' for an observer.
const net = require('net');
const { PerformanceObserver } = require('perf_hooks');

const server = net.createServer((socket) => socket.end());
new PerformanceObserver((list) => {
  for (const { name, entryType, detail } of list.getEntries()) {
    console.log(name, entryType, detail.host, detail.port === port);
  }
}).observe({ type: 'net' });
let port;
server.listen(0, '127.0.0.1', () => {
  ({ port } = server.address());
  net.connect(port, '127.0.0.1').resume().on('close', () => server.close());
});
