// socket.destroy(): 'close' comes in the close phase, after the ticks, the immediates of this iteration, before the next.
const net = require('net');
const server = net.createServer((peer) => peer.resume().on('error', () => {}));
server.listen(0, () => {
  const socket = net.connect(server.address().port, () => {
    socket.on('close', (hadError) => console.log('close', hadError));
    socket.destroy();
    console.log('destroyed', socket.destroyed);
    process.nextTick(() => console.log('tick'));
    setImmediate(() => {
      console.log('immediate 1');
      setImmediate(() => console.log('immediate 2'));
    });
    server.close();
  });
});
// CLOSE-1
