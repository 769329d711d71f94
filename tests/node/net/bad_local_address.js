'use strict';
// Where a socket cannot connect from.
const net = require('net');

function attempt(options) {
  return new Promise((resolve) => {
    const socket = net.connect({ port: 1, host: '127.0.0.1', ...options });
    socket.on('error', (error) => {
      const port = String(options.localPort);
      const fields = Object.entries(error).map(([key, value]) => `${key}: ${`${value}`.replace(port, 'PORT')}`);
      console.log(`${error.message.replace(port, 'PORT')} { ${fields.join(', ')} }`);
    });
    socket.on('connectionAttempt', () => console.log('attempt'));
    socket.on('close', resolve);
  });
}

const server = net.createServer().listen(0, '127.0.0.1', async () => {
  await attempt({ localAddress: '203.0.113.7' });
  await attempt({ localAddress: '203.0.113.7', localPort: 4242 });
  await attempt({ localAddress: '::1', localPort: 4242 });
  await attempt({ localAddress: '127.0.0.1', localPort: server.address().port });
  server.close();
  for (const localAddress of ['x', '1.2.3']) {
    try {
      net.connect({ port: 1, host: '127.0.0.1', localAddress });
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
});
