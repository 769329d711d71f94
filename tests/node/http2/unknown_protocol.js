'use strict';
// A client that speaks no HTTP/2: an answer that it may understand, or a listener.
const tls = require('tls');
const { ca, close, note, secure } = require('./fixtures/pair');

let heed = false;
const server = secure({ server: { unknownProtocolTimeout: 1000 } }, undefined, (client) => {
  const options = { port: server.address().port, host: '127.0.0.1', servername: 'localhost', ca };
  const socket = tls.connect(options);
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => { text += chunk; });
  socket.on('close', () => {
    note('client', text.split('\r\n')[0], text.split('\r\n\r\n')[1].split('\n')[0]);
    heed = true;
    const second = tls.connect(options);
    second.on('data', (chunk) => note('client', String(chunk)));
    second.on('close', () => close(client, server));
  });
});
server.on('newListener', () => {});
const listener = (socket) => {
  note('server', 'unknownProtocol', socket.alpnProtocol);
  socket.end('goodbye');
};
server.on('secureConnection', () => {
  if (heed) server.on('unknownProtocol', listener);
});
server.prependListener('secureConnection', () => {
  if (heed) server.on('unknownProtocol', listener);
});
