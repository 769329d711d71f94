'use strict';
// What becomes of header lines that come more than once.
const http = require('http');
const net = require('net');

const server = http.createServer((req, res) => {
  console.log(req.headers);
  console.log(req.headersDistinct);
  console.log(req.rawHeaders);
  res.end();
  server.close();
});
server.listen(0, () => {
  const socket = net.connect(server.address().port);
  socket.resume();
  socket.end(['GET / HTTP/1.1', 'Host: a', 'HOST: b', 'Cookie: a=1', 'cookie: b=2', 'X-A: 1', 'x-a: 2',
    'Content-Type: text/plain', 'Content-Type: text/html', 'Accept: */*', 'ACCEPT: x', 'X-Empty:',
    'X-Spaces:   a b  ', 'Authorization: 1', 'Authorization: 2', 'constructor: c', '', ''].join('\r\n'));
});
