'use strict';
// close() of sessions and servers while streams are under way.
const { close, collect, http2, note, pair, show } = require('./fixtures/pair');

const server = pair({}, (stream, headers) => {
  stream.respond();
  if (headers[':path'] === '/slow') setTimeout(() => stream.end('slow answer'), 50);
  else stream.end('quick');
}, (client) => {
  collect(client.request({ ':path': '/slow' }), ({ body }) => note('client', 'slow', body));
  collect(client.request({ ':path': '/quick' }), ({ body }) => {
    note('client', 'quick', body);
    server.close(() => note('server', 'closed'));
    client.close(() => note('client', 'closed'));
    note('client', client.closed, client.destroyed);
    client.close(() => note('client', 'never'));
    const late = client.request();
    late.on('error', (error) => note('client', 'late', show(error)));
  });
});
server.on('session', (session) => session.on('close', () => note('server', 'session closed')));
