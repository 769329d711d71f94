'use strict';
// Options of a bound socket.
const dgram = require('dgram');
const socket = dgram.createSocket({ type: 'udp4', recvBufferSize: 10000, sendBufferSize: 15000 });

function attempt(name, ...args) {
  try {
    console.log(name, ...args, '->', socket[name](...args));
  } catch (error) {
    console.log(name, ...args, '->', error.name, error.code, error.message);
  }
}

socket.bind(0, '127.0.0.1', () => {
  attempt('getRecvBufferSize');
  attempt('getSendBufferSize');
  attempt('setRecvBufferSize', 8000);
  attempt('getRecvBufferSize');
  for (const ttl of [1, 255, 0, 256, -1, '1', NaN]) {
    attempt('setTTL', ttl);
    attempt('setMulticastTTL', ttl);
  }
  attempt('setBroadcast', true);
  attempt('setBroadcast', 0);
  attempt('setMulticastLoopback', 16);
  attempt('setMulticastLoopback', false);
  attempt('setMulticastInterface', '127.0.0.1');
  attempt('setMulticastInterface', '0.0.0.0');
  attempt('setMulticastInterface', 'nonsense');
  attempt('setMulticastInterface', 1);
  attempt('addMembership', '224.0.0.114', '127.0.0.1');
  attempt('addMembership', '224.0.0.114', '127.0.0.1');
  attempt('dropMembership', '224.0.0.114', '127.0.0.1');
  attempt('dropMembership', '224.0.0.114', '127.0.0.1');
  attempt('addMembership', '10.0.0.1', '127.0.0.1');
  attempt('addMembership', 'nonsense');
  attempt('addMembership', '224.0.0.114', 'nonsense');
  attempt('addMembership', '');
  attempt('addSourceSpecificMembership', '127.0.0.1', '232.1.1.1', '127.0.0.1');
  attempt('dropSourceSpecificMembership', '127.0.0.1', '232.1.1.1', '127.0.0.1');
  attempt('dropSourceSpecificMembership', '127.0.0.1', '232.1.1.1', '127.0.0.1');
  attempt('addSourceSpecificMembership', 'nonsense', '232.1.1.1');
  attempt('addSourceSpecificMembership', '127.0.0.1', 'nonsense');
  attempt('addSourceSpecificMembership', '127.0.0.1');
  socket.close();
});
