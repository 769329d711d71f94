'use strict';
// Requests whose length can be understood in two ways are refused.
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
const H = "Host: a\r\n";
const cases = {
  bothLengths: `POST / HTTP/1.1\r\n${H}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  twoLengths: `POST / HTTP/1.1\r\n${H}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
  signedLength: `POST / HTTP/1.1\r\n${H}Content-Length: +5\r\n\r\nabcde`,
  listLength: `POST / HTTP/1.1\r\n${H}Content-Length: 5, 5\r\n\r\nabcde`,
  hugeLength: `POST / HTTP/1.1\r\n${H}Content-Length: 99999999999999999999\r\n\r\n`,
  notChunkedLast: `POST / HTTP/1.1\r\n${H}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
  unknownCoding: `POST / HTTP/1.1\r\n${H}Transfer-Encoding: chunkedchunked\r\n\r\n1\r\nA\r\n0\r\n\r\n`,
  spaceBeforeColon: `GET / HTTP/1.1\r\n${H}X-A : b\r\n\r\n`,
  folded: `GET / HTTP/1.1\r\n${H}X-A: b\r\n c\r\nConnection: close\r\n\r\n`,
  bareLineFeed: `GET / HTTP/1.1\n${H}\n\n`,
  bareReturn: `GET / HTTP/1.1\r\n${H}X-A: b\rX-B: c\r\n\r\n`,
  nul: `GET / HTTP/1.1\r\n${H}X-A: b\0c\r\n\r\n`,
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
