'use strict';
// allowHTTP1: the same listener for requests of both versions.
const https = require('https');
const { ca, close, collect, note, secure } = require('./fixtures/pair');

const server = secure({ server: { allowHTTP1: true } }, (request, response) => {
  note('server', request.httpVersion, request.method, request.url, request.socket.alpnProtocol);
  response.setHeader('x-version', request.httpVersion);
  response.end(`body ${request.httpVersion}`);
}, (client) => {
  collect(client.request({ ':path': '/two' }), ({ headers, body }) => {
    note('client', headers['x-version'], body);
    const options = { port: server.address().port, host: '127.0.0.1', servername: 'localhost', ca, path: '/one' };
    https.get({ ...options, agent: false }, (response) => {
      note('client', response.httpVersion, response.headers['x-version'], response.statusCode);
      response.resume();
      response.on('end', () => close(client, server));
    });
  });
});
