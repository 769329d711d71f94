'use strict';
// Header blocks that are too large or have too many fields: the stream ends, the session lives.
const { close, collect, note, pair } = require('./fixtures/pair');

const big = (count) => Object.fromEntries([...Array(count).keys()].map((i) => [`x-${i}`, 'v']));
pair({ server: { maxHeaderListPairs: 20, settings: { maxHeaderListSize: 2000 } } }, (stream, headers) => {
  note('server', 'stream', Object.keys(headers).length);
  stream.respond();
  stream.end();
}, (client, server) => {
  collect(client.request(big(10)), ({ headers, error, code }) => {
    note('client', headers[':status'], error, code);
    collect(client.request(big(30)), (many) => {
      note('client', many.error, many.code);
      collect(client.request({ 'x-long': 'y'.repeat(3000) }), (long) => {
        note('client', long.error, long.code);
        const sent = client.request({ 'x-huge': 'y'.repeat(70_000) });
        sent.on('frameError', (type, code, id) => note('client', 'frameError', type, code, id));
        collect(sent, (huge) => {
          note('client', huge.error, huge.code);
          client.destroy();
          server.close();
        });
      });
    });
  });
});
