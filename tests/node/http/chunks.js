'use strict';
// Chunked bodies, well formed and not.
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
const P = "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
const cases = {
  plain: `${P}3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`,
  extension: `${P}3;name=value\r\nabc\r\n0\r\n\r\n`,
  trailers: `${P}1\r\na\r\n0\r\nX-T: 1\r\n\r\n`,
  upperCase: `${P}A\r\n0123456789\r\n0\r\n\r\n`,
  badSize: `${P}xyz\r\nabc\r\n0\r\n\r\n`,
  hugeSize: `${P}fffffffffffffffff\r\nabc\r\n`,
  missingEnd: `${P}3\r\nabcX\r\n0\r\n\r\n`,
  spaceAfterSize: `${P}3 \r\nabc\r\n0\r\n\r\n`,
  longExtension: `${P}1;${"x".repeat(17000)}\r\na\r\n0\r\n\r\n`,
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
