'use strict';
// captureRejections: what becomes of async listeners that throw.
const events = require('events');
events.captureRejections = true;
const { close, collect, compat, note, pair } = require('./fixtures/pair');

pair({}, async (stream, headers) => {
  stream.on('error', (error) => note('server', error.message));
  if (headers[':path'] === '/late') stream.respond();
  throw new Error('of a stream');
}, (client, server) => {
  collect(client.request(), ({ headers, code }) => {
    note('client', headers, code);
    collect(client.request({ ':path': '/late' }), (result) => {
      note('client', result.error, result.code);
      close(client, server);
      requests();
    });
  });
});

function requests() {
  compat({}, async (request, response) => {
    response.setHeader('x-secret', 'y');
    if (request.url === '/late') response.write('x');
    throw new Error('of a request');
  }, (client, server) => {
    collect(client.request(), ({ headers, body }) => {
      note('client', headers, body);
      collect(client.request({ ':path': '/late' }), (result) => {
        note('client', result.headers?.[':status'], result.code);
        close(client, server);
      });
    });
  });
}
