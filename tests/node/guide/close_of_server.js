const net = require('net');
const server = net.createServer().listen(0, () => {
  server.on('close', () => console.log('close event'));
  server.close(() => console.log('close callback'));
  process.nextTick(() => console.log('tick'));
  setImmediate(() => console.log('immediate'));
  console.log(server.listening);
});
// CLOSE-2
