'use strict';
// Heads that are too large, or have too many lines.
const http = require('http');
const net = require('net');

function handler(req, res) {
  let body = "";
  req.on("data", (chunk) => { body += chunk; });
  req.on("error", () => {});
  req.on("end", () => {
    res.setHeader("Connection", "close");
    res.end(JSON.stringify([req.method, req.url, body, req.rawHeaders.length]));
  });
}
const lines = (n) => "X-A: b\r\n".repeat(n);
const cases = {
  many: `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${lines(900)}\r\n`,
  tooMany: `GET / HTTP/1.1\r\nHost: a\r\n${lines(1100)}\r\n`,
  largeUrl: `GET /${"x".repeat(20000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  largeValue: `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${"x".repeat(20000)}\r\n\r\n`,
};

function exchange(port, text, then) {
  const socket = net.connect(port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => { answer += chunk; });
  socket.on('error', () => {});
  socket.on('close', () => then(answer.replace(/Date: [^\r]*\r\n/g, '')));
  socket.write(text, 'latin1');
}

const server = http.createServer(handler);
server.on('clientError', (error, socket) => {
  if (socket.writableEnded) return; // more of the same
  console.log('clientError', error.code, error.message);
  socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
});
server.listen(0, () => {
  const { port } = server.address();
  const left = Object.entries(cases);
  (function next() {
    if (left.length === 0) return server.close();
    const [name, text] = left.shift();
    exchange(port, text, (answer) => {
      console.log('--', name);
      console.log(JSON.stringify(answer));
      next();
    });
  })();
});
