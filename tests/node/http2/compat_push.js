'use strict';
// createPushResponse().
const { attempt, close, collect, compat, note, shown } = require('./fixtures/pair');

compat({}, (request, response) => {
  attempt(() => response.createPushResponse({ ':path': '/x' }));
  response.createPushResponse({ ':path': '/pushed' }, (error, push) => {
    note('server', error, push.stream.id, push.constructor.name);
    push.setHeader('x-a', 'b');
    push.end('pushed body');
    response.end('page');
  });
  response.on('close', () => {
    response.createPushResponse({}, (error) => note('server', error.code));
  });
}, (client, server) => {
  let left = 2;
  const done = () => { if (--left === 0) close(client, server); };
  client.on('stream', (stream, headers) => {
    stream.on('push', (all) => note('client', headers[':path'], shown(all)));
    collect(stream, ({ body }) => {
      note('client', body);
      done();
    });
  });
  collect(client.request(), ({ body }) => {
    note('client', body);
    done();
  });
});
