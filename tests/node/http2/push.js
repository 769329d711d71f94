'use strict';
// Pushed streams, their headers and bodies; the request method HEAD; pushes inside pushes.
const { attempt, close, collect, note, pair, show, shown } = require('./fixtures/pair');

pair({}, (stream) => {
  note('server', 'pushAllowed', stream.pushAllowed);
  stream.pushStream({ ':path': '/style', 'x-a': 'b' }, (error, pushed, headers) => {
    note('server', 'pushed', error, pushed.id, shown(headers), pushed.headRequest);
    attempt(() => pushed.pushStream({}, () => {}));
    pushed.respond({ ':status': 200, 'content-type': 'text/css' });
    pushed.end('style');
  });
  stream.pushStream({ ':path': '/head', ':method': 'HEAD' }, (error, pushed) => {
    note('server', 'pushed', error, pushed.headRequest, pushed.writableEnded);
    pushed.respond();
  });
  attempt(() => stream.pushStream({}, 5));
  attempt(() => stream.pushStream({ connection: 'close' }, () => {}));
  stream.respond();
  stream.end('page');
}, (client, server) => {
  let left = 3;
  const done = () => { if (--left === 0) close(client, server); };
  client.on('stream', (pushed, headers, flags) => {
    note('client', 'stream', pushed.id, shown(headers), flags, pushed.writableEnded);
    pushed.on('push', (response) => note('client', 'push', pushed.id, shown(response)));
    collect(pushed, ({ body, code, error }) => {
      note('client', 'pushed', pushed.id, body, code, error);
      done();
    });
  });
  collect(client.request({ ':path': '/' }), ({ body }) => {
    note('client', 'page', body);
    done();
  });
});
