'use strict';
// Paths that are too long for a socket.
const net = require('net');

const path = `/tmp/${'x'.repeat(200)}`;
net.createServer().on('error', ({ code, syscall }) => console.log(code, syscall)).listen(path);
net.connect(path).on('error', ({ code, syscall }) => console.log(code, syscall));
