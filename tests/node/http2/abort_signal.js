'use strict';
// The option `signal` of a request.
const { note, pair, show } = require('./fixtures/pair');

pair({}, (stream) => {
  stream.on('aborted', () => note('server', 'aborted'));
  stream.on('error', (error) => note('server', show(error)));
  stream.on('close', () => note('server', 'closed', stream.rstCode));
  stream.respond();
  stream.write('x');
}, (client, server) => {
  const early = client.request({}, { signal: AbortSignal.abort('why') });
  early.on('error', (error) => note('client', 'early', error.name, error.code, error.cause));
  early.on('close', () => note('client', 'early closed', early.rstCode));
  const controller = new AbortController();
  const request = client.request({}, { signal: controller.signal });
  request.on('response', () => controller.abort());
  request.on('error', (error) => note('client', error.name, error.code, error.cause.name));
  request.on('close', () => {
    note('client', 'closed', request.rstCode, request.destroyed);
    setTimeout(() => {
      client.destroy();
      server.close();
    }, 30);
  });
});
