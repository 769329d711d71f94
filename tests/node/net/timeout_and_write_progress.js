'use strict';
// socket.setTimeout() looks at the progress of a long write first. The timer's own function is called here, so that nothing
// depends on how fast the machine is.
const net = require('net');

const size = 40 << 20;
const server = net.createServer((socket) => {
  let timeouts = 0;
  socket.on('timeout', () => timeouts++);
  socket.setTimeout(1_000_000);
  socket.write(Buffer.alloc(size), () => {
    socket._onTimeout();
    console.log('after the write', timeouts);
    socket.end();
  });
  setImmediate(() => {
    socket._onTimeout(); // a part of it has gone to the kernel
    console.log('first look', timeouts);
    socket._onTimeout();
    console.log('no progress', timeouts);
    client.resume();
    client.on('data', function look() {
      if (client.bytesRead < size / 2) return;
      client.off('data', look);
      client.pause();
      setImmediate(() => {
        socket._onTimeout();
        console.log('after progress', timeouts);
        client.resume();
      });
    });
  });
  socket.on('close', () => server.close());
});
let client;
server.listen(0, '127.0.0.1', () => {
  client = net.connect(server.address().port, '127.0.0.1').pause();
});
