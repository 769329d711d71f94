'use strict';
// A head that does not come to its end in time is answered with 408.
const http = require('node:http');
const net = require('node:net');

const server = http.createServer({
  headersTimeout: 150, requestTimeout: 300, connectionsCheckingInterval: 30,
}, (request, response) => {
  request.resume();
  request.on('end', () => response.end('whole'));
});
server.on('clientError', (error, socket) => {
  console.log(error.code, error.message);
  socket.end(`HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n`);
});
server.listen(0, '127.0.0.1', async () => {
  for (const text of ['GET / HTTP/1.1\r\nHost: a\r\nX: ', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab']) {
    const answer = await new Promise((resolve) => {
      const socket = net.connect(server.address().port, '127.0.0.1', () => socket.write(text));
      let got = '';
      socket.on('data', (chunk) => {
        got += chunk;
      });
      socket.on('close', () => resolve(got));
    });
    console.log(JSON.stringify(answer));
  }
  server.close();
});
