const net = require('node:net');

const server = net.createServer().listen(0, '127.0.0.1');
setInterval(() => {}, 1000).unref();
setTimeout(() => server.close(), 400);
