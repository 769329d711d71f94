'use strict';
// HTTP/2 on TLS: what is negotiated, and what sessions say of it.
const { close, collect, note, secure } = require('./fixtures/pair');

const server = secure({}, (request, response) => {
  note('server', request.httpVersion, request.scheme, request.socket.encrypted, request.socket.alpnProtocol);
  response.end(`hello ${request.url}`);
}, (client, { close: end }) => {
  client.on('connect', () => {
    note('client', client.encrypted, client.alpnProtocol, client.socket.authorized, client.originSet.length);
  });
  collect(client.request({ ':path': '/tls' }), ({ headers, body }) => {
    note('client', headers, body);
    close(client, server);
  });
});
server.on('secureConnection', (socket) => note('server', 'secureConnection', socket.alpnProtocol));
server.on('session', (session) => note('server', 'session', session.encrypted, session.alpnProtocol));
