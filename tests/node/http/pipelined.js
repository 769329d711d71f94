'use strict';
// Responses leave in the order of their requests.
const http = require('http');
const net = require('net');

let n = 0;
function handler(req, res) {
  const mine = ++n;
  if (req.url === "/last") res.setHeader("Connection", "close");
  setTimeout(() => res.end(`${mine} ${req.url}`), mine % 3 === 1 ? 20 : 1);
}
const G = (path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const cases = { three: G("/1") + G("/2") + G("/last") };

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
