const net = require('node:net');

const server = net.createServer();
server.listen(0, () => {
  server.close(() => console.log('closed'));
  console.log('close() has returned');
});
