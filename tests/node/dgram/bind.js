'use strict';
// bind() and its callback, errors, bindSync.
const dgram = require('dgram');

const first = dgram.createSocket('udp4');
console.log(first.bind({ port: 0, address: '127.0.0.1' }, function() {
  console.log('bound', this === first, first.address().address, first.address().family);
  const { port } = first.address();
  const second = dgram.createSocket('udp4');
  second.on('error', (error) => {
    console.log(error.code, error.syscall, error.address, error.port === port, second.listenerCount('listening'));
    second.bind(0, '127.0.0.1', () => {
      console.log('bound after all');
      second.close(() => wrongAddress());
    });
  });
  second.bind(port, '127.0.0.1', () => console.log('never'));
}) === first);
try {
  first.bind();
} catch (error) {
  console.log(error.code, error.message);
}

function wrongAddress() {
  const socket = dgram.createSocket('udp4');
  socket.on('error', (error) => {
    console.log(error.code, error.syscall, error.address, error.message);
    socket.close();
    sync();
  });
  socket.bind(0, '192.0.2.1');
}

function sync() {
  const socket = dgram.createSocket('udp4');
  for (const options of [{ port: -1 }, { port: 70000 }, { address: 'localhost' }, { address: 5 }, 7, null]) {
    try {
      socket.bindSync(options);
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
  try {
    socket.bindSync({ port: first.address().port, address: '127.0.0.1' });
  } catch (error) {
    console.log(error.code, error.syscall, error.address);
  }
  const { address, family, port } = socket.bindSync({ address: '127.0.0.1' });
  console.log(address, family, port > 0);
  socket.on('listening', () => {
    console.log('listening');
    socket.close();
    first.close();
  });
  console.log('before listening');
}
