// rondo-test: scratch
'use strict';
// respondWithFile() and respondWithFD(): ranges, statCheck, trailers.
const fs = require('fs');
const path = require('path');
const { close, collect, note, pair } = require(path.join(path.dirname(__filename), 'fixtures', 'pair'));

fs.writeFileSync('text', '0123456789'.repeat(10));
fs.writeFileSync('large', Buffer.alloc(500_000, 'large '));
const fd = fs.openSync('text', 'r');
const answers = {
  '/file': (stream) => stream.respondWithFile('text', { 'content-type': 'x' }),
  '/range': (stream) => stream.respondWithFile('text', {}, { offset: 5, length: 10 }),
  '/beyond': (stream) => stream.respondWithFile('text', {}, { offset: 95, length: 100 }),
  '/large': (stream) => stream.respondWithFile('large'),
  '/check': (stream) => stream.respondWithFile('text', {}, {
    statCheck(stat, headers) { headers['x-size'] = stat.size; },
  }),
  '/refused': (stream) => stream.respondWithFile('text', {}, {
    statCheck() {
      stream.respond({ ':status': 304 });
      return false;
    },
  }),
  '/trailers': (stream) => {
    stream.respondWithFile('text', {}, { waitForTrailers: true, length: 3 });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-end': 'of file' }));
  },
  '/fd': (stream) => stream.respondWithFD(fd, {}, { offset: 2, length: 4 }),
  '/fd-check': (stream) => stream.respondWithFD(fd, {}, {
    statCheck(stat, headers, range) {
      headers['x-size'] = stat.size;
      range.offset = 8;
      range.length = 4;
    },
  }),
};
pair({}, (stream, headers) => {
  answers[headers[':path']](stream);
  stream.on('close', () => note('server', headers[':path'], 'closed', stream.rstCode));
}, (client, server) => {
  const run = ([name, ...rest]) => {
    if (name === undefined) {
      close(client, server);
      return;
    }
    collect(client.request({ ':path': name }), ({ headers, body, trailers, code }) => {
      note('client', name, headers, body.length, body.slice(0, 12), trailers, code);
      run(rest);
    });
  };
  run(Object.keys(answers));
});
