'use strict';
// What sessions and streams look like, and their states.
const { inspect } = require('util');
const { close, collect, note, pair } = require('./fixtures/pair');

pair({}, (stream) => {
  stream.respond();
  stream.end('x');
}, (client, server) => {
  note('client', inspect(client).split('\n')[0], client.connecting, client.closed, client.state);
  const request = client.request();
  note('client', inspect(request).split('\n')[0], inspect(request).split('\n')[1], request.state);
  client.on('connect', () => {
    note('client', client.connecting, Object.keys(client.state), client.type, client.state.nextStreamID);
  });
  request.on('response', () => {
    note('client', Object.keys(request.state), inspect(request).split('\n')[1], request.bufferSize);
    note('client', request.constructor.name, client.constructor.name);
  });
  collect(request, () => {
    note('client', inspect(request, { depth: -1 }) === inspect(request), request.id, request.destroyed);
    close(client, server);
  });
});
