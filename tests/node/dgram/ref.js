// A socket keeps the program running until it is unref'd or closed.
const dgram = require('node:dgram');
const socket = dgram.createSocket('udp4');
console.log(socket.unref() === socket, socket.ref() === socket);
socket.bind(0, () => {
  console.log('bound');
  socket.unref();
});
const other = dgram.createSocket({ type: 'udp6', signal: AbortSignal.timeout(20) });
other.on('close', () => console.log('aborted'));
const timer = setTimeout(() => {}, 100);
other.on('close', () => clearTimeout(timer));
process.on('exit', () => console.log('exit'));
