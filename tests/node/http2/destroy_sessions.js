'use strict';
// destroy() of a session in the middle of a stream: with an error, with a code, on either side.
const { close, note, pair, show } = require('./fixtures/pair');

const cases = {
  'server': (session) => session.destroy(),
  'server code': (session) => session.destroy(3),
  'server error': (session) => session.destroy(new Error('boom')),
  'server error and code': (session) => session.destroy(new Error('boom'), 5),
};

function run([name, ...rest]) {
  if (name === undefined) return;
  const server = pair({}, (stream) => {
    stream.on('error', (error) => note('server', name, 'stream', show(error)));
    stream.on('close', () => note('server', name, 'stream closed', stream.rstCode));
    stream.session.on('error', (error) => note('server', name, 'error', show(error)));
    stream.session.on('close', () => note('server', name, 'closed', stream.session === undefined));
    stream.respond();
    stream.write('x');
    setTimeout(() => cases[name](stream.session), 20);
  }, (client) => {
    const request = client.request();
    request.on('error', (error) => note('client', name, 'stream', show(error)));
    request.on('close', () => note('client', name, 'stream closed', request.rstCode));
    client.on('close', () => {
      note('client', name, 'closed', client.goawayCode);
      server.close(() => run(rest));
    });
    request.resume();
  });
}
run(Object.keys(cases));
