'use strict';
// Clients that end their side with the request: by default they get no answer that is not there yet.
const http = require('node:http');
const net = require('node:net');

function ask(port, text) {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer.replace(/Date: [^\r]*\r\n/, '')));
    socket.on('end', () => socket.end());
    socket.end(text);
  });
}

const server = http.createServer((request, response) => {
  if (request.url === '/late') setTimeout(() => response.end('late'), 50);
  else response.end('now');
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  for (const half of [false, true]) {
    server.httpAllowHalfOpen = half;
    for (const url of ['/now', '/late']) {
      console.log(half, url, JSON.stringify(await ask(port, `GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`)));
    }
    console.log(half, JSON.stringify(await ask(port, 'GET /cut HTTP/1.1\r\nHos')));
  }
  server.close();
});
