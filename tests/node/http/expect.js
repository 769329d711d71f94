'use strict';
// 100-continue, and other expectations.
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
const cases = {
  continues: "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi",
  other: "POST / HTTP/1.1\r\nHost: a\r\nExpect: something\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi",
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
