'use strict';
// A request and its response, stream by stream: events of both sides.
const { close, note, pair, shown } = require('./fixtures/pair');

pair({}, (stream, headers, flags) => {
  note('server', 'stream', stream.id, shown(headers), flags, stream.session.type, stream.session.alpnProtocol);
  stream.on('end', () => note('server', 'end'));
  stream.on('finish', () => note('server', 'finish'));
  stream.on('close', () => note('server', 'close', stream.rstCode, stream.destroyed, stream.aborted));
  stream.respond({ 'content-type': 'text/plain', 'x-number': 5 });
  stream.write('hello ');
  stream.end('world');
}, (client, server) => {
  client.on('connect', (session, socket) => {
    note('client', 'connect', session === client, typeof socket.remotePort, client.encrypted, client.alpnProtocol);
  });
  const request = client.request({ ':path': '/a?b' });
  note('client', 'pending', request.pending, request.id, request.writableEnded, request.sentHeaders[':method']);
  request.on('ready', () => note('client', 'ready', request.id, request.pending));
  request.on('response', (headers, flags) => note('client', 'response', shown(headers), flags));
  request.setEncoding('utf8');
  let body = '';
  request.on('data', (chunk) => { body += chunk; });
  request.on('end', () => note('client', 'end', body));
  request.on('close', () => {
    note('client', 'close', request.rstCode, request.session === undefined);
    close(client, server);
  });
  client.on('close', () => note('client', 'session closed', client.destroyed, client.closed));
});
