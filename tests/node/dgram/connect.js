'use strict';
// connect(), disconnect() and what they forbid.
const dgram = require('dgram');
const server = dgram.createSocket('udp4');
const client = dgram.createSocket('udp4');

function attempt(name, ...args) {
  try {
    console.log(name, client[name](...args));
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}

for (const port of [0, -1, 65536, 'a', null, undefined]) attempt('connect', port);
attempt('connect', 1, 5);
attempt('remoteAddress');
attempt('disconnect');
server.bind(0, '127.0.0.1', () => {
  const { port } = server.address();
  client.connect(port, '127.0.0.1', (...args) => {
    console.log('connected', args);
    const { address, family, port: remote } = client.remoteAddress();
    console.log(address, family, remote === port);
    attempt('connect', port);
    attempt('connectSync', port);
    attempt('send', 'a', 0, 1, port, '127.0.0.1');
    client.disconnect();
    attempt('remoteAddress');
    attempt('disconnect');
    attempt('connectSync', port, 'localhost');
    attempt('connectSync', port);
    client.on('connect', () => {
      console.log('again');
      client.send('done');
    });
  });
  attempt('connect', port);
});
server.on('message', (message) => {
  console.log(message.toString());
  client.close();
  server.close();
});
