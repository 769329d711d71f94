'use strict';
// What request() and connect() refuse, and what they fill in.
const { attempt, close, collect, http2, note, pair, shown } = require('./fixtures/pair');

for (const args of [['blob:x'], [5], [undefined], ['http://x', 5], ['http://x', { maxOriginSetSize: 'x' }],
  ['http://x', { strictSingleValueFields: 1 }], ['http://x', { remoteCustomSettings: 5 }], ['ftp://x']]) {
  attempt(() => http2.connect(...args).destroy());
}
attempt(() => http2.createServer(5));
attempt(() => http2.createServer({ maxSessionInvalidFrames: -1 }));
attempt(() => http2.createServer({ maxSessionRejectedStreams: 'x' }));
attempt(() => http2.createServer({ unknownProtocolTimeout: 1.5 }));
attempt(() => http2.createServer({ settings: 5 }));
attempt(() => http2.createServer({ remoteCustomSettings: [...Array(11).keys()] }));
attempt(() => http2.createSecureServer([]));

pair({}, (stream, headers, flags, raw) => {
  note('server', shown(headers), raw.length);
  stream.respond();
  stream.end();
}, (client, server) => {
  for (const headers of [5, null, 'x', { ':status': 200, 'connection': 'x' }, { 'a b': 1 }, { ':unknown': 1 },
    { 'te': 'gzip' }, { 'content-length': [1, 2] }, { 'transfer-encoding': 'x' }, { ':method': 'CONNECT' },
    { ':method': 'CONNECT', ':authority': 'a', ':scheme': 'x' }, { ':method': 'CONNECT', ':authority': 'a', ':path': '/' }]) {
    attempt(() => client.request(headers).destroy());
  }
  for (const options of [5, [], { endStream: 1 }, { parent: 'x' }, { parent: -1 }, { exclusive: 1 }, { silent: 1 }]) {
    attempt(() => client.request({}, options).destroy());
  }
  collect(client.request({ 'host': 'somewhere', 'TE': 'trailers', 'x-list': ['a', 'b'], 'x-none': undefined, 'x-empty': [],
    'cookie': ['a=b', 'c=d'], 'set-cookie': ['x'], '': 'nothing' }), () => {
    collect(client.request({ ':method': 'DELETE', ':path': '/x', 'x-number': 5, 'x-null': null }), () => close(client, server));
  });
});
