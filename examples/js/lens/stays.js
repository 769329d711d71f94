const net = require('node:net');

const server = net.createServer();
server.listen(0, '127.0.0.1');
setInterval(function heartbeat() {}, 60_000).unref();
setTimeout(() => server.close(), 2000);
