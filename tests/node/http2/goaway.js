'use strict';
// GOAWAY: without an error the streams finish, with one the session ends.
const { attempt, close, collect, note, pair, show } = require('./fixtures/pair');

const server = pair({}, (stream) => {
  stream.session.goaway(0, 0, Buffer.from('reason'));
  stream.respond();
  const { session } = stream;
  stream.on('close', () => setTimeout(() => session.destroy(), 50));
  setImmediate(() => stream.end('finished'));
}, (client) => {
  client.on('goaway', (code, last, data) => {
    note('client', 'goaway', code, last, String(data), client.closed);
  });
  collect(client.request(), ({ body, code }) => note('client', body, code));
  client.on('close', () => {
    note('client', 'closed', client.goawayCode, client.goawayLastStreamID);
    server.close(withError);
  });
  attempt(() => client.goaway('x'));
  attempt(() => client.goaway(0, 'x'));
  attempt(() => client.goaway(0, 0, 'x'));
});

function withError() {
  const second = pair({}, (stream) => {
    stream.on('error', (error) => note('server', 'stream', show(error)));
    stream.on('close', () => note('server', 'stream closed', stream.rstCode));
    stream.session.goaway(9);
  }, (client) => {
    client.on('goaway', (code, last, data) => note('client', 'goaway', code, last, data));
    collect(client.request(), ({ error, code }) => note('client', error, code));
    client.on('close', () => second.close());
  });
}
