const net = require('net');
const first = net.createServer().listen(0, () => {
  const { port } = first.address();
  const second = net.createServer();
  second.on('error', (e) => { console.log(e.code, e.syscall, e.port === port); first.close(); });
  second.on('listening', () => console.log('never'));
  second.listen(port);
  process.nextTick(() => console.log('tick'));
  console.log('listen returned');
});
