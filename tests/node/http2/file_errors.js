// rondo-test: scratch
'use strict';
// Files that cannot be sent.
const fs = require('fs');
const path = require('path');
const { attempt, close, collect, note, pair, show } = require(path.join(path.dirname(__filename), 'fixtures', 'pair'));

fs.writeFileSync('text', 'text');
fs.mkdirSync('folder');
const onError = (stream) => (error) => {
  note('server', error.code, error.syscall);
  stream.respond({ ':status': 404 });
  stream.end('sorry');
};
const answers = {
  '/missing': (stream) => stream.respondWithFile('missing', {}, { onError: onError(stream) }),
  '/folder': (stream) => stream.respondWithFile('folder', {}, { onError: onError(stream) }),
  '/unheard': (stream) => stream.respondWithFile('missing'),
  '/bad-fd': (stream) => stream.respondWithFD(999_999),
  '/arguments': (stream) => {
    for (const options of [{ offset: 'x' }, { length: 'x' }, { statCheck: 5 }, 5]) {
      attempt(() => stream.respondWithFile('text', {}, options));
      attempt(() => stream.respondWithFD(0, {}, options));
    }
    attempt(() => stream.respondWithFD('x'));
    attempt(() => stream.respondWithFD({}));
    for (const status of [204, 205, 304]) attempt(() => stream.respondWithFile('text', { ':status': status }));
    attempt(() => stream.respondWithFD(0, { ':status': 204 }));
    stream.respond();
    stream.end();
  },
};
pair({}, (stream, headers) => {
  stream.on('error', (error) => note('server', headers[':path'], error.code));
  answers[headers[':path']](stream);
}, (client, server) => {
  const run = ([name, ...rest]) => {
    if (name === undefined) {
      close(client, server);
      return;
    }
    collect(client.request({ ':path': name }), ({ headers, body, error, code }) => {
      note('client', name, headers?.[':status'], body, error, code);
      run(rest);
    });
  };
  run(Object.keys(answers));
});
