'use strict';
// Pings of both sides, their payloads and limits.
const { attempt, close, note, pair, show } = require('./fixtures/pair');

const server = pair({ client: { maxOutstandingPings: 2 } }, undefined, (client) => {
  client.ping((error) => note('client', 'not connected', show(error)));
  client.on('connect', () => {
    attempt(() => client.ping());
    attempt(() => client.ping(Buffer.alloc(7), () => {}));
    attempt(() => client.ping('12345678', () => {}));
    note('client', client.ping(Buffer.from('12345678'), (error, duration, payload) => {
      note('client', show(error), typeof duration, payload.latin1Slice());
    }));
    note('client', client.ping((error, duration, payload) => {
      note('client', show(error), duration > 0, payload.length);
      client.destroy();
      attempt(() => client.ping(() => {}));
      server.close();
    }));
    note('client', client.ping((error) => note('client', 'too many', show(error))));
  });
});
server.on('session', (session) => {
  session.on('ping', (payload) => note('server', 'ping', payload.length));
});
