'use strict';
// Informational headers before the response, 'headers' and 'continue' of the client; early hints.
const { attempt, close, collect, compat, note, pair, shown } = require('./fixtures/pair');

pair({}, (stream) => {
  stream.additionalHeaders({ ':status': 102, 'x-a': '1' });
  stream.additionalHeaders({ ':status': 100 });
  for (const status of [101, 200, 99]) attempt(() => stream.additionalHeaders({ ':status': status }));
  stream.respond();
  attempt(() => stream.additionalHeaders({ ':status': 102 }));
  note('server', stream.sentInfoHeaders.length, { ...stream.sentInfoHeaders[0] });
  stream.end();
}, (client, server) => {
  const request = client.request();
  request.on('headers', (headers, flags) => note('client', 'headers', shown(headers), flags));
  request.on('continue', () => note('client', 'continue'));
  collect(request, ({ headers }) => {
    note('client', headers);
    close(client, server);
    hints();
  });
});

function hints() {
  compat({}, (request, response) => {
    note('server', response.writeEarlyHints({ link: '</a.css>; rel=preload', 'x-hint': 'h' }));
    note('server', response.writeEarlyHints({ link: [] }));
    note('server', response.writeInformation(103, { 'x-b': 'c' }), response.writeContinue());
    attempt(() => response.writeInformation(101));
    attempt(() => response.writeInformation(200));
    attempt(() => response.writeEarlyHints({ link: 'nonsense' }));
    response.end('done');
    note('server', response.writeInformation(103));
  }, (client, server) => {
    const request = client.request();
    request.on('headers', (headers) => note('client', 'headers', shown(headers)));
    collect(request, ({ body }) => {
      note('client', body);
      close(client, server);
    });
  });
}
