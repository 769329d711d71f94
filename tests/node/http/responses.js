'use strict';
// Forms of responses: lengths, chunks, trailers, statuses without a body.
const http = require('http');
const net = require('net');

function handler(req, res) {
  res.setHeader("Connection", "close");
  switch (req.url) {
    case "/empty": return res.end();
    case "/chunks": res.write("a"); res.write(Buffer.from("bc")); return res.end("d");
    case "/trailers": res.writeHead(200, { Trailer: "X-T" }); res.write("a"); res.addTrailers({ "X-T": "1" }); return res.end();
    case "/204": res.statusCode = 204; return res.end("ignored");
    case "/304": res.writeHead(304); return res.end();
    case "/reason": res.writeHead(299, "Fine So Far", ["A", "1", "A", "2"]); return res.end("x");
    case "/cookies": res.setHeader("Set-Cookie", ["a=1", "b=2"]); res.appendHeader("X-L", "1"); res.appendHeader("X-L", ["2", "3"]); return res.end();
    case "/length": res.writeHead(200, { "Content-Length": 3 }); return res.end("abc");
    case "/hints": res.writeEarlyHints({ link: "</a.css>; rel=preload; as=style" }); res.writeProcessing(); return res.end("x");
    case "/cork": res.cork(); res.write("a"); res.write("b"); res.uncork(); return res.end("c");
    case "/noDate": res.sendDate = false; res.removeHeader("content-length"); return res.end("x");
  }
}
const cases = {};
for (const path of "empty chunks trailers 204 304 reason cookies length hints cork noDate".split(" ")) {
  cases[path] = `GET /${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
  cases[`HEAD ${path}`] = `HEAD /${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
}

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
