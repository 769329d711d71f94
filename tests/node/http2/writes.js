'use strict';
// Strings in every encoding, corked writes, callbacks of writes, and a body of many small chunks.
const { close, collect, note, pair } = require('./fixtures/pair');

pair({}, (stream, headers) => {
  stream.respond();
  switch (headers[':path']) {
    case '/encodings':
      stream.write('\u00e4\u20ac|', 'utf8');
      stream.write('ff41|', 'latin1');
      stream.write('4142', 'hex');
      stream.write('fHw=', 'base64');
      stream.end(Buffer.from('end'));
      break;
    case '/corked':
      stream.cork();
      for (const text of ['a', 'b', 'c']) stream.write(text, () => note('server', 'written', text));
      process.nextTick(() => {
        stream.uncork();
        stream.end('d', () => note('server', 'ended'));
      });
      break;
    default: {
      let left = 200;
      const next = () => (left-- > 0 ? stream.write(`${left};`, next) : stream.end());
      next();
    }
  }
}, (client, server) => {
  collect(client.request({ ':path': '/encodings' }), ({ body }) => {
    note('client', body);
    collect(client.request({ ':path': '/corked' }), ({ body: corked }) => {
      note('client', corked);
      collect(client.request({ ':path': '/many' }), ({ body: many }) => {
        note('client', many.length, many.slice(0, 12), many.slice(-8));
        close(client, server);
      });
    });
  });
});
