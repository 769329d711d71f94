'use strict';
// First lines, good and bad.
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
const E = "\r\nHost: a\r\nConnection: close\r\n\r\n";
const cases = {
  plain: `GET /x?y=1#z HTTP/1.1${E}`,
  absolute: `GET http://a/b HTTP/1.1${E}`,
  options: `OPTIONS * HTTP/1.1${E}`,
  old: "GET /old HTTP/1.0\r\n\r\n",
  noHost: "GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
  unknownMethod: `NONSENSE / HTTP/1.1${E}`,
  lowerCase: `get / HTTP/1.1${E}`,
  version: `GET / HTTP/3.7${E}`,
  noVersion: `GET /${E}`,
  spaces: `GET  /  HTTP/1.1${E}`,
  controls: `GET /\x01 HTTP/1.1${E}`,
  upperHalf: `GET /\xe4 HTTP/1.1${E}`,
  http2: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
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
