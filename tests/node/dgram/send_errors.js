'use strict';
// What send() refuses, and in which order it checks.
const dgram = require('dgram');
const socket = dgram.createSocket('udp4');

function attempt(name, ...args) {
  try {
    socket.send(...args);
    console.log(name, 'passed');
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}

attempt('nothing');
attempt('number', 23, 12345, '127.0.0.1');
attempt('null', null, 12345, '127.0.0.1');
attempt('list of numbers', [1, 2], 12345);
attempt('port 0', 'a', 0, '127.0.0.1');
attempt('port 65536', 'a', 65536, '127.0.0.1');
attempt('port text', 'a', 'b', '127.0.0.1');
attempt('no port', 'a');
attempt('address', 'a', 12345, 5);
attempt('address object', 'a', 12345, {});
attempt('offset', Buffer.alloc(4), 5, 0, 12345, '127.0.0.1');
attempt('length', Buffer.alloc(4), 1, 4, 12345, '127.0.0.1');
attempt('slice of a number', 7, 0, 1, 12345, '127.0.0.1');
for (const args of [[Buffer.alloc(1)], [Buffer.alloc(1), 0], [Buffer.alloc(1), 0, 1], [Buffer.alloc(1), 0, 1, 9]]) {
  try {
    socket.sendto(...args);
  } catch (error) {
    console.log('sendto', error.code, error.message);
  }
}
try {
  socket.send(Buffer.alloc(70000), 12345, '127.0.0.1', (error) => {
    console.log(error.code, error.syscall, error.address, error.port, error.message);
    socket.close(() => {
      attempt('closed', 'a', 12345, '127.0.0.1');
    });
  });
} catch (error) {
  console.log(error);
}
