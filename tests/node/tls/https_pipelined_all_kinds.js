'use strict';
// Requests with and without bodies that arrive together have all of their answers, in their order.
const fs = require('node:fs');
const https = require('node:https');
const path = require('node:path');
const tls = require('node:tls');

const key = fs.readFileSync(path.join(__dirname, 'keys/rsa-key.pem'));
const cert = fs.readFileSync(path.join(__dirname, 'keys/rsa-cert.pem'));
const kSizes = [0, 1, 1500, 20_000];

const server = https.createServer({ key, cert }, (request, response) => {
  const [, what, size] = request.url.split('/');
  if (what === 'bytes') {
    response.setHeader('Content-Length', size);
    response.setHeader('X-For', request.url);
    response.end(Buffer.alloc(Number(size), 'b'));
    return;
  }
  let count = 0;
  request.on('data', (data) => { count += data.length; });
  request.on('end', () => {
    response.setHeader('X-For', `/${what}/${count}`);
    response.setHeader('Content-Length', 0);
    response.end();
  });
});

function ask(targets, then) {
  const socket = tls.connect({ port: server.address().port, rejectUnauthorized: false });
  const answered = [];
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (data) => {
    text += data;
    for (let end; (end = text.indexOf('\r\n\r\n')) >= 0;) {
      const size = end + 4 + Number(/content-length: (\d+)/i.exec(text)[1]);
      if (text.length < size) break;
      answered.push(/x-for: ([^\r]*)/i.exec(text)[1]);
      text = text.slice(size);
    }
    if (answered.length === targets.length) socket.destroy();
  });
  socket.on('error', (error) => console.log(error.code));
  const timer = setTimeout(() => socket.destroy(), 20_000);
  socket.on('close', () => {
    clearTimeout(timer);
    then(answered);
  });
  socket.write(targets.map((target) => {
    const [, what, size] = target.split('/');
    if (what === 'bytes') return `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`;
    return `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Length: ${size}\r\n\r\n${'p'.repeat(Number(size))}`;
  }).join(''));
}

const all = [];
for (const first of kSizes) {
  for (const second of kSizes) {
    for (const kinds of ['gg', 'gp', 'pg', 'pgp', 'gpg', 'ggp']) {
      const sizes = [first, second, first];
      all.push([...kinds].map((kind, i) => (kind === 'g' ? `/bytes/${sizes[i]}` : `/count/${sizes[i]}`)));
    }
  }
}
let right = 0;
server.listen(0, () => {
  (function next() {
    const targets = all.shift();
    if (targets === undefined) {
      console.log(right);
      server.close();
      return;
    }
    ask(targets, (answered) => {
      if (answered.join() === targets.join()) right++;
      else console.log('asked', targets, 'answered', answered);
      next();
    });
  })();
});
