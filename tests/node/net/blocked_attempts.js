'use strict';
// Which events a connection to a blocked address has, and what a rule says to families with other names.
const net = require('net');
const { once } = require('events');

const blockList = new net.BlockList();
blockList.addSubnet('127.0.0.0', 8);
blockList.addAddress('::1', 'ipv6');
for (const family of ['IPv4', 'IPV6', 'other', '']) {
  console.log(family, ['127.0.0.1', '::1', '::2'].map((address) => blockList.check(address, family)));
}

async function attempt(name, options) {
  const socket = net.connect({ port: 1, blockList, ...options });
  for (const event of ['lookup', 'connectionAttempt', 'connectionAttemptFailed', 'connect', 'close']) {
    socket.on(event, (...values) => console.log(name, event, values));
  }
  socket.on('error', ({ code }) => console.log(name, 'error', code));
  await once(socket, 'close');
}

(async () => {
  await attempt('address', { host: '127.0.0.1' });
  await attempt('name', { host: 'name.test', family: 4, lookup: (host, options, done) => done(null, '127.0.0.1', 4) });
  await attempt('all', {
    host: 'name.test', lookup: (host, options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  });
})();
