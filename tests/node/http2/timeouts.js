'use strict';
// setTimeout() of streams, sessions and servers.
const { attempt, close, note, pair } = require('./fixtures/pair');

const server = pair({}, (stream, headers) => {
  if (headers[':path'] === '/stream') {
    stream.setTimeout(50, () => {
      note('server', 'stream timeout');
      stream.respond();
      stream.end();
    });
    attempt(() => stream.setTimeout('x'));
    attempt(() => stream.setTimeout(5, 5));
  }
}, (client) => {
  const request = client.request({ ':path': '/stream' });
  request.resume();
  request.on('close', () => {
    note('client', 'closed');
    client.setTimeout(50, () => {
      note('client', 'session timeout');
      client.close();
      server.setTimeout(50, (session) => {
        note('server', 'timeout', session.type);
        session.destroy();
      });
      note('server', server.timeout);
      attempt(() => server.setTimeout(1, 5));
      const { connect } = require('http2');
      const second = connect(`http://127.0.0.1:${server.address().port}`);
      second.on('error', () => {});
      second.on('close', () => server.close());
    });
  });
});
