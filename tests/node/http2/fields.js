'use strict';
// Header fields as they arrive: repeated ones, cookies, sensitive ones, in arrays.
const { close, collect, http2, note, pair, shown } = require('./fixtures/pair');

const { sensitiveHeaders } = http2;
pair({ server: { strictSingleValueFields: false }, client: { strictSingleValueFields: false } }, (stream, headers, flags, raw) => {
  note('server', shown(headers), headers[sensitiveHeaders], Object.getPrototypeOf(headers));
  note('server', raw.filter((text) => !text.startsWith('127.')));
  stream.respond({
    'set-cookie': ['a', 'b'], 'x-list': ['1', '2'], 'content-type': ['x', 'y'], 'X-Upper': 'Case', 'x-latin': 'caf\u00e9',
    'authorization': 'secret', [sensitiveHeaders]: ['Authorization', 'x-list'],
  });
  stream.end();
}, (client, server) => {
  const check = (request, next) => {
    request.on('response', (headers) => note('client', shown(headers), headers[sensitiveHeaders]));
    collect(request, next);
  };
  check(client.request({
    'cookie': ['a=1', 'b=2'], 'X-Mixed': ['p', 'q'], 'authorization': 'token', 'etag': ['"a"', '"b"'],
    [sensitiveHeaders]: ['cookie', 'AUTHORIZATION'],
  }), () => {
    const list = [':method', 'GET', 'x-b', '1', 'x-a', '2', 'X-B', '3', ':path', '/array'];
    list[sensitiveHeaders] = ['x-a'];
    const request = client.request(list);
    note('client', shown(request.sentHeaders), request.sentHeaders[sensitiveHeaders]);
    check(request, () => close(client, server));
  });
});
