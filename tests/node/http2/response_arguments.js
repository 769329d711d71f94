'use strict';
// What respond() and its kin refuse, and what they fill in.
const { attempt, close, collect, http2, note, pair } = require('./fixtures/pair');

pair({}, (stream, headers) => {
  if (headers[':path'] === '/second') {
    stream.respond([':status', 201, 'x-a', 'b', 'X-A', 'c'], { sendDate: false });
    note('server', { ...stream.sentHeaders });
    stream.end();
    return;
  }
  for (const status of [100, 199, 600, 1000]) attempt(() => stream.respond({ ':status': status }));
  attempt(() => stream.respond(5));
  attempt(() => stream.respond({}, 5));
  attempt(() => stream.respond({ ':path': '/' }));
  attempt(() => stream.respond({ connection: 'close' }));
  attempt(() => stream.respond({ 'x y': 'z' }));
  attempt(() => stream.respond({ etag: ['a', 'b'] }));
  attempt(() => stream.respond({ [http2.sensitiveHeaders]: 5 }));
  note('server', stream.headersSent);
  stream.respond({ 'x-a': ['1', '2'], 'x-undefined': undefined });
  note('server', stream.headersSent, stream.sentHeaders[':status'], typeof stream.sentHeaders.date);
  attempt(() => stream.respond());
  attempt(() => stream.respondWithFD(0));
  attempt(() => stream.respondWithFile(__filename));
  stream.end();
  attempt(() => stream.respond());
  attempt(() => stream.additionalHeaders({}));
  attempt(() => stream.sendTrailers({}));
}, (client, server) => {
  collect(client.request(), ({ headers }) => {
    note('client', headers);
    const request = client.request({ ':path': '/second' });
    request.on('response', (all, flags, raw) => note('client', raw));
    collect(request, () => close(client, server));
  });
});
