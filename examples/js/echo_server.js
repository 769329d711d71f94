// An echo server. With a port it serves for ever; without one it talks to itself once and ends.
//
//     rondo echo_server.js 7000        and, elsewhere: nc localhost 7000
const net = require('node:net');

// pipe() stops reading from a peer that sends but never reads.
const server = net.createServer((socket) => socket.pipe(socket));

const port = process.argv[2];
server.listen(port ?? 0, '127.0.0.1', () => {
  console.log(`listening on ${port ?? 'any port'}`);
  if (port === undefined) talkToItself();
});

function talkToItself() {
  const socket = net.connect(server.address().port, '127.0.0.1');
  socket.setEncoding('utf8');
  socket.on('data', (text) => console.log(`the echo: ${text}`));
  socket.on('close', () => server.close());
  socket.end('hello, rondo');
}
