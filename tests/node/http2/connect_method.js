'use strict';
// CONNECT as a tunnel, and extended CONNECT (RFC 8441).
const { close, collect, compat, note, pair, shown } = require('./fixtures/pair');

pair({ server: { settings: { enableConnectProtocol: true } } }, (stream, headers) => {
  note('server', shown(headers), headers[':scheme'], headers[':path'], headers[':protocol']);
  stream.respond();
  stream.pipe(stream);
}, (client, server) => {
  client.on('remoteSettings', (settings) => {
    note('client', settings.enableConnectProtocol);
    const tunnel = client.request({ ':method': 'CONNECT', ':authority': 'example.org:80' });
    note('client', tunnel.writableEnded);
    collect(tunnel, ({ body }) => {
      note('client', body);
      const socket = client.request({ ':method': 'CONNECT', ':protocol': 'websocket', ':path': '/chat' });
      collect(socket, (result) => {
        note('client', result.body);
        close(client, server);
        refused();
      });
      socket.end('frames');
    });
    tunnel.end('through');
  });
});

function refused() {
  const server = compat({}, () => note('server', 'never'), (client) => {
    collect(client.request({ ':method': 'CONNECT', ':authority': 'a:1' }, { endStream: true }), ({ headers }) => {
      note('client', headers[':status']);
      server.on('connect', (request, response) => {
        note('server', 'connect', request.method, request.authority, request.url);
        response.end('listener');
      });
      collect(client.request({ ':method': 'CONNECT', ':authority': 'a:1' }, { endStream: true }), (result) => {
        note('client', result.headers[':status'], result.body);
        close(client, server);
      });
    });
  });
}
