'use strict';
// Two servers at one port.
const net = require('net');

const first = net.createServer();
first.listen({ port: 0, host: '127.0.0.1', reusePort: true }, () => {
  const { port } = first.address();
  const second = net.createServer();
  second.listen({ port, host: '127.0.0.1', reusePort: true }, () => {
    console.log(second.address().port === port);
    const third = net.createServer();
    third.on('error', (error) => {
      console.log(error.code, error.syscall);
      first.close();
      second.close();
    });
    third.listen({ port, host: '127.0.0.1' });
  });
});
