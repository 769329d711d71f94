'use strict';
// Sessions on any Duplex: createConnection, 'connection' of a server, performServerHandshake().
const { duplexPair } = require('stream');
const net = require('net');
const { attempt, collect, http2, note, show } = require('./fixtures/pair');

const server = http2.createServer();
server.on('stream', (stream) => {
  stream.respond();
  stream.end('over a duplex');
});
const [ours, theirs] = duplexPair();
server.emit('connection', theirs);
const client = http2.connect('http://example.org', { createConnection: () => ours });
attempt(() => http2.connect('http://example.org', { createConnection: () => ours }));
collect(client.request(), ({ headers, body, code }) => {
  note('client', headers, body, code);
  client.close(() => {
    note('client', 'closed');
    handshake();
  });
});

function handshake() {
  const plain = net.createServer((socket) => {
    const session = http2.performServerHandshake(socket, { settings: { maxConcurrentStreams: 3 } });
    session.on('stream', (stream, headers) => {
      stream.respond({ 'x-path': headers[':path'] });
      stream.end();
    });
    session.on('close', () => note('server', 'closed', session.server));
  });
  plain.listen(0, '127.0.0.1', () => {
    const second = http2.connect(`http://127.0.0.1:${plain.address().port}`);
    collect(second.request({ ':path': '/h' }), ({ headers }) => {
      note('client', headers, second.remoteSettings.maxConcurrentStreams);
      second.close();
      plain.close();
    });
  });
}
