'use strict';
// createSocket() and its options.
const dgram = require('dgram');
const net = require('net');

for (const type of [undefined, null, 'udp', 'tcp', 4, {}, { type: 'udp5' }]) {
  try {
    dgram.createSocket(type);
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
for (const options of [
  { lookup: 1 }, { recvBufferSize: 'a' }, { sendBufferSize: -1 }, { signal: {} }, { sendBlockList: 1 },
  { receiveBlockList: {} },
]) {
  try {
    dgram.createSocket({ type: 'udp4', ...options });
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
const socket = dgram.createSocket({ type: 'udp6', sendBlockList: new net.BlockList() });
console.log(socket instanceof dgram.Socket, socket instanceof require('events'), socket.type);
console.log(Object.keys(dgram), Object.keys(dgram.Socket.prototype).sort());
console.log(socket.getSendQueueSize(), socket.getSendQueueCount());
console.log(socket.ref() === socket, socket.unref() === socket);
socket.close();
console.log(socket.ref() === socket, socket.unref() === socket);
