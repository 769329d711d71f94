'use strict';
// Http2ServerRequest: properties, the body as a stream, trailers, an aborted one.
const { attempt, close, collect, compat, http2, note, shown } = require('./fixtures/pair');

compat({}, (request, response) => {
  const { httpVersion, httpVersionMajor, httpVersionMinor, method, url, scheme, aborted, complete } = request;
  note('server', httpVersion, httpVersionMajor, httpVersionMinor, method, url, scheme, aborted, complete);
  note('server', shown(request.headers), request.rawHeaders.length, request.trailers, request.rawTrailers);
  note('server', request instanceof http2.Http2ServerRequest, response.req === request, typeof request.authority);
  request.method = 'PATCH';
  request.url = '/changed';
  note('server', request.method, request.url, request.headers[':path']);
  attempt(() => { request.method = ' '; });
  attempt(() => { request.method = 5; });
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => { body += chunk; });
  request.on('end', () => {
    note('server', 'end', body, request.complete, request.trailers, request.rawTrailers);
    response.end('answer');
  });
  request.on('aborted', () => note('server', 'aborted', request.aborted, request.complete));
  request.on('close', () => note('server', 'close', request.readableEnded));
}, (client, server) => {
  const request = client.request({ ':method': 'POST', ':path': '/p?q', 'x-a': 'b' }, { waitForTrailers: true });
  request.on('wantTrailers', () => request.sendTrailers({ 'x-t': ['1', '2'] }));
  request.write('some ');
  setTimeout(() => request.end('body'), 20);
  collect(request, ({ body }) => {
    note('client', body);
    const second = client.request({ ':method': 'POST' });
    second.write('half');
    second.on('close', () => setTimeout(() => close(client, server), 30));
    setTimeout(() => second.close(8), 50);
  });
});
