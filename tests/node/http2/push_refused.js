'use strict';
// A client that wants no pushes, and one that resets what is pushed.
const { attempt, close, collect, http2, note, pair } = require('./fixtures/pair');

pair({ client: { settings: { enablePush: false } } }, (stream) => {
  note('server', 'pushAllowed', stream.pushAllowed);
  attempt(() => stream.pushStream({}, () => {}));
  stream.respond();
  stream.end();
}, (client, server) => {
  collect(client.request(), () => {
    close(client, server);
    second();
  });
});

function second() {
  pair({}, (stream) => {
    stream.pushStream({ ':path': '/unwanted' }, (error, pushed) => {
      pushed.on('aborted', () => note('server', 'aborted'));
      pushed.on('error', (problem) => note('server', problem.code));
      pushed.on('close', () => {
        note('server', 'closed', pushed.rstCode);
        stream.end('done');
      });
      pushed.respond();
      pushed.write('x');
    });
    stream.respond();
  }, (client, server) => {
    client.on('stream', (pushed) => {
      pushed.on('error', () => {});
      pushed.close(http2.constants.NGHTTP2_REFUSED_STREAM);
    });
    collect(client.request(), ({ body }) => {
      note('client', body);
      close(client, server);
    });
  });
}
