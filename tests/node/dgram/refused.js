'use strict';
// A peer that is not there: told to a connected socket, as an error of receiving.
const dgram = require('dgram');
const other = dgram.createSocket('udp4');
other.bind(0, '127.0.0.1', () => {
  const { port } = other.address();
  other.close(() => {
    const client = dgram.createSocket('udp4');
    client.on('error', (error) => {
      console.log(error.code, error.syscall, error.message);
      client.close(() => console.log('closed'));
    });
    client.connect(port, '127.0.0.1', () => client.send('anyone?', (error, size) => console.log(error, size)));
  });
});
