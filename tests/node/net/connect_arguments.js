'use strict';
// Arguments of connect() that are refused.
const net = require('net');

for (const options of [
  { host: ['127.0.0.1'], port: 1 }, { host: 'a\0b', port: 1 }, { host: '127.0.0.1', port: 70000 }, { host: '127.0.0.1', port: {} },
  {}, { path: 1 }, { port: 1, localAddress: 'nowhere' }, { port: 1, host: '127.0.0.1', localPort: 'x' },
  { port: 1, host: 'a.invalid', lookup: 1 }, { port: 1, autoSelectFamily: 1 }, { port: 1, autoSelectFamilyAttemptTimeout: 0 },
]) {
  const socket = new net.Socket();
  socket.on('error', () => {});
  try {
    socket.connect(options);
    console.log('connecting', options);
    socket.destroy();
  } catch (error) {
    console.log(error.name, error.code, error.message);
    socket.destroy();
  }
}
