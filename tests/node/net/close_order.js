// CLOSE-3: handles that are closed in one iteration report it in the close phase, the last one first; what a socket had to write is
// cancelled just before its own 'close'.
'use strict';
const net = require('node:net');

const server = net.createServer((socket) => socket.on('error', () => {}));
server.listen(0, '127.0.0.1', () => {
  let connected = 0;
  const sockets = [1, 2, 3].map(() => net.connect(server.address().port, '127.0.0.1', () => {
    if (++connected === 3) setTimeout(destroyAll, 50, sockets);
  }));
});

function destroyAll(sockets) {
  const data = Buffer.alloc(20e6);
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {};
  port1.addEventListener('close', () => console.log('port closed'));
  sockets.forEach((socket, i) => {
    socket.write(data, ({ code }) => console.log('first write', i, code));
    socket.write('x', ({ code }) => console.log('second write', i, code));
    socket.on('close', () => {
      console.log('closed', i);
      process.nextTick(() => console.log('tick', i));
      queueMicrotask(() => console.log('microtask', i));
    });
  });
  setImmediate(() => {
    sockets[0].destroy();
    port1.close();
    sockets[1].destroy();
    sockets[2].destroy(new Error('an error'));
    sockets[2].on('error', ({ message }) => console.log('error', message));
    setImmediate(() => console.log('immediate'));
    server.close(() => console.log('server closed'));
  });
  port2.unref();
}
