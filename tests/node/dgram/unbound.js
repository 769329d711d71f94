'use strict';
// A socket that is not bound yet has no descriptor; one that is closed is not running.
const dgram = require('dgram');

function tryAll(socket) {
  const calls = {
    address: [], remoteAddress: [], setBroadcast: [true], setTTL: [64], setMulticastTTL: [8],
    setMulticastLoopback: [true], setMulticastInterface: ['127.0.0.1'], getRecvBufferSize: [],
    getSendBufferSize: [], setRecvBufferSize: [1000], setSendBufferSize: [1000], disconnect: [], addMembership: [],
    dropMembership: [], addSourceSpecificMembership: [1, '224.0.0.1'], dropSourceSpecificMembership: ['1.2.3.4', 1],
  };
  for (const [name, args] of Object.entries(calls)) {
    try {
      console.log(name, socket[name](...args));
    } catch (error) {
      console.log(name, error.name, error.code, error.syscall, error.message.split('\n')[0]);
    }
  }
}

const socket = dgram.createSocket('udp4');
tryAll(socket);
for (const size of [-1, 1.5, 'a', undefined, 2 ** 31, 2 ** 32]) {
  try {
    socket.setRecvBufferSize(size);
  } catch (error) {
    console.log(size, error.name, error.code, error.message, error.info);
  }
}
socket.close();
for (const call of ['close', 'bind', 'address', 'bindSync']) {
  try {
    socket[call]();
  } catch (error) {
    console.log(call, error.code, error.message);
  }
}
