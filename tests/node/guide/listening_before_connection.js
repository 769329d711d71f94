const net = require('net');
const server = net.createServer();
server.on('connection', (peer) => { console.log('connection'); peer.end(); server.close(); });
server.listen(0);
server.on('listening', () => console.log('listening'));
net.connect(server.address().port).resume();
setImmediate(() => console.log('immediate'));
