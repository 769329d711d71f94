// One iteration of the loop, from the poll phase, where a client learns that it is connected, to the timers.
const net = require('node:net');

const server = net.createServer((peer) => peer.resume());
server.listen(0, () => {
  const socket = net.connect(server.address().port, () => {
    console.log("poll: 'connect'");

    setTimeout(() => console.log('timers: a timeout of 0 ms'), 0);
    setImmediate(() => console.log('check: an immediate'));
    socket.on('close', () => console.log("close: 'close' of a socket that was destroyed"));
    socket.destroy();

    process.nextTick(() => console.log('  after every callback: all ticks,'));
    Promise.resolve().then(() => console.log('  then all microtasks'));
    server.close();
  });
});
