'use strict';
// destroy() and close() of a client's session, before and after it is connected.
const { attempt, note, pair, show } = require('./fixtures/pair');

const cases = {
  'at once': (client) => client.destroy(),
  'at once, error': (client) => client.destroy(new Error('early')),
  'close at once': (client) => client.close(() => note('client', 'callback')),
  'connected': (client) => client.on('connect', () => client.destroy(new Error('late'))),
  'connected, close': (client) => client.on('connect', () => client.close()),
};

function run([name, ...rest]) {
  if (name === undefined) return;
  const server = pair({}, (stream) => {
    stream.on('error', () => {});
    stream.respond();
    stream.end('x');
  }, (client) => {
    const request = client.request();
    request.on('error', (error) => note('client', name, 'stream', show(error), error.cause?.message));
    request.on('close', () => note('client', name, 'stream closed', request.rstCode));
    request.resume();
    client.on('close', () => {
      note('client', name, 'closed', client.destroyed, client.connecting, client.socket === undefined);
      for (const method of ['settings', 'goaway', 'ping', 'setNextStreamID', 'setLocalWindowSize']) {
        attempt(() => client[method](() => {}));
      }
      client.request().on('error', (error) => note('client', name, 'request', show(error)));
      setTimeout(() => server.close(() => run(rest)), 50);
    });
    cases[name](client);
  });
}
run(Object.keys(cases));
