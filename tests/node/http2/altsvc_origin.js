'use strict';
// ALTSVC and ORIGIN frames.
const { attempt, ca, close, collect, note, secure } = require('./fixtures/pair');

const server = secure({ server: { origins: ['https://example.org/path', 'https://b.example:8443'] } }, (request, response) => {
  const { session } = request.stream;
  session.altsvc('h2=":8000"', 'https://example.org:8111/this');
  session.altsvc('h2=":8001"', request.stream.id);
  session.altsvc('h2=":8002"', new URL('https://example.com'));
  for (const target of ['foo:', 'null:x', {}, { origin: '' }, -1, 0, 1.5, true]) {
    attempt(() => session.altsvc('h2', target));
  }
  attempt(() => session.altsvc(5));
  attempt(() => session.altsvc('\u0001'));
  attempt(() => session.altsvc('x'.repeat(16383)));
  attempt(() => session.origin('foo:'));
  attempt(() => session.origin(5));
  attempt(() => session.origin(`https://${'x'.repeat(16383)}`));
  session.origin('https://c.example', new URL('https://d.example'), { origin: 'https://e.example' });
  session.origin();
  response.end();
}, (client) => {
  client.on('altsvc', (alt, origin, stream) => note('client', 'altsvc', alt, origin, stream));
  client.on('origin', (origins) => note('client', 'origin', origins, client.originSet.length));
  collect(client.request(), () => close(client, server));
});
