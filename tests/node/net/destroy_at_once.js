'use strict';
// destroy() closes at once: the peer sees it while the program is still busy. What was not read makes it a reset.
const net = require('net');
const { Worker } = require('worker_threads');

const shared = new Int32Array(new SharedArrayBuffer(4));

const server = net.createServer((socket) => {
  socket.resume();
  socket.once('data', () => setImmediate(() => {
    socket.destroy();
    console.log(Atomics.wait(shared, 0, 0, 20_000) !== 'timed-out');
    server.close(unread);
  }));
});
server.listen(0, '127.0.0.1', () => {
  new Worker(`
    const { workerData: { port, shared } } = require('worker_threads');
    const socket = require('net').connect(port, '127.0.0.1', () => socket.write('x'));
    socket.resume();
    socket.on('end', () => {
      Atomics.store(shared, 0, 1);
      Atomics.notify(shared, 0);
    });
  `, { eval: true, workerData: { port: server.address().port, shared } });
});

function unread() {
  const second = net.createServer((socket) => {
    second.close();
    socket.once('data', () => socket.destroy());
  });
  second.listen(0, '127.0.0.1', () => {
    const client = net.connect(second.address().port, '127.0.0.1', () => client.write(Buffer.alloc(4 << 20)));
    client.resume();
    client.on('error', (error) => console.log(error.code));
    client.on('end', () => console.log('an end'));
    client.on('close', (hadError) => console.log('close', hadError));
  });
}
