'use strict';
// TLS inside of TLS, with bodies of many records in both directions.
const fs = require('fs');
const path = require('path');
const tls = require('tls');

const read = (name) => fs.readFileSync(path.join(__dirname, 'keys', name));
const keys = { key: read('server-key.pem'), cert: read('server-cert.pem') };

const body = 'abcdefghij'.repeat(20_000);
const inner = tls.createServer(keys, (socket) => {
  let length = 0;
  socket.on('data', (chunk) => {
    length += chunk.length;
    if (length === body.length) socket.end(body);
  });
});
// What it decrypts is TLS again, and goes to the inner server.
const outer = tls.createServer({ ...keys, allowHalfOpen: true }, (socket) => {
  const target = require('net').connect({ port: inner.address().port, allowHalfOpen: true });
  socket.pipe(target).pipe(socket);
});
inner.listen(0, () => outer.listen(0, () => {
  const tunnel = tls.connect({ port: outer.address().port, rejectUnauthorized: false });
  const socket = tls.connect({ socket: tunnel, rejectUnauthorized: false }, () => {
    console.log(socket.getProtocol(), tunnel.getProtocol());
    socket.write(body);
  });
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (text) => {
    received += text;
  });
  socket.on('end', () => {
    console.log(received === body);
    inner.close();
    outer.close();
  });
}));
