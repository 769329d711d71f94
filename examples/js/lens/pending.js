const net = require('node:net');

const socket = net.connect(1, '127.0.0.1');
socket.on('error', (error) => console.log(error.code));
