const net = require('net');
const server = net.createServer().listen(0, () => {
  console.log('listening');
  server.unref();
});
process.on('beforeExit', () => console.log('beforeExit', server.listening));
