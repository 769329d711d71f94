'use strict';
// The option onread with messages that are smaller than its buffer.
const net = require('net');

const server = net.createServer((socket) => {
  let n = 0;
  const timer = setInterval(() => {
    socket.write('x'.repeat(++n));
    if (n < 4) return;
    clearInterval(timer);
    socket.end();
  }, 20);
});
server.listen(0, '127.0.0.1', () => {
  const buffer = Buffer.alloc(3);
  let text = '';
  net.connect({
    port: server.address().port,
    host: '127.0.0.1',
    onread: {
      buffer,
      callback(count, filled) {
        text += filled.toString('latin1', 0, count);
        console.log(count, filled === buffer);
        return true;
      },
    },
  }).on('end', () => {
    console.log(text);
    server.close();
  });
});
