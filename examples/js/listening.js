// The port is bound when listen() returns, and still no listener misses the event: 'listening' is emitted by nextTick, when the
// program has had the time to attach its handlers.
const net = require('node:net');

const server = net.createServer();
server.on('connection', (conn) => {
  console.log('connection');
  conn.end();
  server.close();
});

server.listen(0);
console.log('listen() has returned');
server.on('listening', () => {
  console.log('listening');
  net.connect(server.address().port).resume();
});
server.on('close', () => console.log('closed'));
