'use strict';
// Trailers both ways: waitForTrailers, 'wantTrailers', sendTrailers() and what it refuses.
const { attempt, close, collect, note, pair } = require('./fixtures/pair');

pair({}, (stream, headers) => {
  stream.on('trailers', (trailers, flags, raw) => note('server', 'trailers', { ...trailers }, flags, raw));
  stream.respond({}, { waitForTrailers: headers[':path'] !== '/none' });
  attempt(() => stream.sendTrailers({ early: 'x' }));
  stream.on('wantTrailers', () => {
    note('server', 'wantTrailers', stream.writableFinished);
    attempt(() => stream.sendTrailers({ ':status': 200 }));
    stream.sendTrailers({ 'x-checksum': 'abc', 'x-two': ['a', 'b'] });
    note('server', 'sent', { ...stream.sentTrailers });
    attempt(() => stream.sendTrailers({}));
  });
  stream.resume();
  stream.on('end', () => stream.end('body'));
}, (client, server) => {
  const request = client.request({ ':method': 'POST', ':path': '/' }, { waitForTrailers: true });
  request.on('wantTrailers', () => request.sendTrailers({ 'x-from': 'client' }));
  request.end('upload');
  collect(request, ({ body, trailers, code }) => {
    note('client', body, trailers, code);
    collect(client.request({ ':path': '/none' }), (result) => {
      note('client', result.body, result.trailers, result.code);
      close(client, server);
    });
  });
});
