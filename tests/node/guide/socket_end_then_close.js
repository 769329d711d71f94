// A close that is not abrupt.
const net = require('net');
const server = net.createServer((peer) => {
  peer.on('end', () => console.log('server: end'));
  peer.on('close', (hadError) => { console.log('server: close', hadError); server.close(); });
  peer.on('data', (data) => { console.log('server: data', String(data)); peer.end('bye'); });
}).listen(0, () => {
  const socket = net.connect(server.address().port, () => socket.end('hello'));
  const log = [];
  socket.on('data', (data) => log.push(`data ${data}`));
  socket.on('end', () => log.push('end'));
  socket.on('close', (hadError) => { log.push(`close ${hadError}`); });
  process.on('exit', () => console.log(log.join(', ')));
});
