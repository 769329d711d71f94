// timers -> poll -> check -> close, seen from an I/O callback: check, close, timers.
const fs = require('fs');
const net = require('net');
const server = net.createServer().listen(0, () => {
  const socket = net.connect(server.address().port, () => {
    socket.on('close', () => console.log('close callbacks'));
    setTimeout(() => console.log('timers'), 1);
    setImmediate(() => console.log('check'));
    process.nextTick(() => console.log('tick'));
    Promise.resolve().then(() => console.log('microtask'));
    console.log('poll');
    socket.destroy();
    server.close();
    const start = Date.now();
    while (Date.now() - start < 5);
  });
});
server.on('connection', (peer) => peer.on('error', () => {}).resume());
// ITERATION-2
