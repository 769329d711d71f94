'use strict';
// Http2ServerResponse: headers, status, writes, states.
const { attempt, close, collect, compat, note } = require('./fixtures/pair');

compat({}, (request, response) => {
  response.setHeader('X-One', 'a');
  response.setHeader('x-list', ['1', '2']);
  response.appendHeader('x-one', 'b');
  response.appendHeader('x-list', ['3']);
  response.setHeader('connection', 'close');
  response.setHeader('x-gone', 'c');
  response.removeHeader('X-Gone');
  note('server', response.getHeader('X-ONE'), response.getHeaderNames(), response.hasHeader('x-list'), { ...response.getHeaders() });
  for (const [name, value] of [['', 'x'], ['a b', 'x'], [':status', 1], [':foo', 1], ['x', undefined], ['x', null], [5, 'x']]) {
    attempt(() => response.setHeader(name, value));
    attempt(() => response.setTrailer(name, value));
  }
  attempt(() => response.getHeader(5));
  attempt(() => response.removeHeader());
  attempt(() => { response.statusCode = 100; });
  attempt(() => { response.statusCode = 600; });
  response.statusCode = 202;
  response.statusMessage = 'ignored';
  note('server', response.statusCode, response.statusMessage, response.sendDate, response.headersSent, response._header);
  note('server', response.writableEnded, response.finished, response.writableLength, response.writableHighWaterMark);
  response.addTrailers({ 'x-trailer': 'end' });
  response.writeHead(203, { 'x-head': 'h' });
  attempt(() => response.writeHead(200));
  attempt(() => response.setHeader('late', 'x'));
  attempt(() => response.removeHeader('late'));
  response.cork();
  response.write('one ');
  note('server', response.write(Buffer.from('two '), () => note('server', 'written')), response.writableCorked);
  response.uncork();
  response.on('finish', () => note('server', 'finish', response.writableFinished));
  response.on('close', () => note('server', 'close', response.socket === undefined));
  response.end('three', () => note('server', 'end callback'));
  note('server', response.writableEnded, response.finished);
  response.end(() => note('server', 'ended before'));
  response.write('late', (error) => note('server', error.code));
}, (client, server) => {
  collect(client.request(), ({ headers, body, trailers, error, code }) => {
    note('client', headers, body, trailers, error, code);
    close(client, server);
  });
});
