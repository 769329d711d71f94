'use strict';
// Requests that arrive in one record are answered in turn.
const https = require('https');
const fs = require('fs');
const path = require('path');
const tls = require('tls');

const read = (name) => fs.readFileSync(path.join(__dirname, 'keys', name));
const keys = { key: read('server-key.pem'), cert: read('server-cert.pem') };

const server = https.createServer(keys, (request, response) => {
  if (request.url === '/last') response.setHeader('Connection', 'close');
  response.sendDate = false;
  response.end(request.url === '/large' ? 'x'.repeat(40_000) : request.url);
});
server.listen(0, () => {
  const socket = tls.connect({ port: server.address().port, rejectUnauthorized: false }, () => {
    const get = (url) => `GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`;
    socket.write(get('/1') + get('/2') + get('/large') + get('/large') + get('/last'));
  });
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('end', () => {
    console.log(text.replace(/x+/g, (run) => `<${run.length}>`));
    server.close();
  });
});
