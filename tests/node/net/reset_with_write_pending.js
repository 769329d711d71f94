'use strict';
// Recorded with Node 26. A reset is met by reading; the write that is under way is cancelled.
const net = require('net');
const { pipeline, Readable } = require('stream');

const words = (error) => (error ? `${error.code} ${error.syscall} ${error.message}` : error);

function round(run) {
  return new Promise((resolve) => {
    const server = net.createServer((socket) => {
      socket.once('readable', () => socket.resetAndDestroy());
      socket.on('close', () => server.close(resolve));
    });
    server.listen(0, '127.0.0.1', () => run(net.connect(server.address().port, '127.0.0.1')));
  });
}

(async () => {
  await round((client) => {
    client.on('error', (error) => console.log('error', words(error)));
    client.on('close', (hadError) => console.log('close', hadError));
    client.write(Buffer.alloc(20 << 20), (error) => console.log('first', words(error)));
    client.write('x', (error) => console.log('second', words(error)));
    client.end((error) => console.log('end', words(error)));
  });
  await round((client) => {
    // More than the kernel takes, so that a write waits when the reset comes.
    pipeline(Readable.from([Buffer.alloc(20 << 20), 'x']), client, (error) => console.log('pipeline', words(error)));
  });
})();
