'use strict';
// A client that sends 10,000 requests and reads nothing: the server stops before it has made all the answers, and goes on
// when they are read.
const http = require('http');
const net = require('net');

const kRequests = 10_000;
const body = 'x'.repeat(5_000);
let handled = 0;
const server = http.createServer((request, response) => {
  handled++;
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1');
  const requests = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(100);
  for (let i = 0; i < kRequests / 100; i++) socket.write(requests);
  let before = -1;
  const timer = setInterval(() => {
    if (handled === 0 || handled !== before) {
      before = handled;
      return;
    }
    clearInterval(timer);
    console.log('stopped early', handled < kRequests, process.memoryUsage().rss < 400e6);
    let length = 0;
    let answers = 0;
    let end = '';
    socket.on('data', (chunk) => {
      length += chunk.length;
      const text = end + chunk.toString('latin1');
      answers += text.split('HTTP/1.1 200').length - 1;
      end = text.slice(-11);
      if (answers < kRequests || length < kRequests * body.length) return;
      console.log('all', answers === kRequests, handled);
      socket.destroy();
      server.close();
    });
  }, 200);
});
