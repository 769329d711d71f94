// Datagrams of every size up to the largest, and one that is too large.
const dgram = require('node:dgram');
const server = dgram.createSocket('udp4');
const client = dgram.createSocket('udp4');
const sizes = [0, 1, 1472, 9000, 65507];
server.on('message', (message, { size, family }) => {
  console.log(message.length, size, family, message.every((byte) => byte === 7));
  next();
});
function next() {
  const size = sizes.shift();
  if (size !== undefined) return client.send(Buffer.alloc(size, 7), server.address().port, '127.0.0.1');
  client.send(Buffer.alloc(65508), server.address().port, '127.0.0.1', (error) => {
    console.log(error.code, error.syscall);
    server.close();
    client.close();
  });
}
server.bind(0, '127.0.0.1', next);
