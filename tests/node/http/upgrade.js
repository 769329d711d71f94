'use strict';
// 'upgrade' and 'connect', with bytes that come along.
const http = require('http');

const server = http.createServer(() => console.log('never'));
server.on('upgrade', (req, socket, head) => {
  console.log('upgrade', req.headers.upgrade, String(head), socket.parser);
  socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nfirst');
  socket.on('data', (chunk) => socket.end(`echo ${chunk}`));
});
server.on('connect', (req, socket, head) => {
  console.log('connect', req.url, head.length);
  socket.end('HTTP/1.1 200 OK\r\n\r\ntunnel');
});
server.listen(0, () => {
  const { port } = server.address();
  const req = http.get({ port, headers: { Connection: 'Upgrade', Upgrade: 'x' } });
  req.on('upgrade', (res, socket, head) => {
    console.log(res.statusCode, String(head));
    socket.write('hello');
    let text = '';
    socket.on('data', (chunk) => { text += chunk; });
    socket.on('end', () => {
      console.log(text);
      socket.end();
      connect(port);
    });
  });
});
function connect(port) {
  const req = http.request({ port, method: 'CONNECT', path: 'a:1' }).end();
  req.on('connect', (res, socket, head) => {
    let text = String(head);
    socket.on('data', (chunk) => { text += chunk; });
    socket.on('end', () => {
      console.log(res.statusCode, text);
      socket.end();
      server.close(() => console.log('closed'));
    });
  });
}
