const net = require('net');
const server = net.createServer((peer) => {
  let text = '';
  peer.setEncoding('utf8');
  peer.on('data', (part) => { text += part; });
  peer.on('end', () => { console.log(text.length, text.slice(0, 12), text.slice(-12)); peer.end(); server.close(); });
}).listen(0, () => {
  const socket = net.connect(server.address().port);
  for (let i = 0; i < 1000; i++) socket.write(`line ${i}\n`);
  socket.end();
  socket.resume();
});
