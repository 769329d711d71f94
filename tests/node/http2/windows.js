'use strict';
// Windows: setLocalWindowSize(), what `state` says, a reader that takes its time.
const { attempt, close, note, pair } = require('./fixtures/pair');

pair({}, (stream) => {
  attempt(() => stream.session.setLocalWindowSize(-1));
  attempt(() => stream.session.setLocalWindowSize('1'));
  stream.session.setLocalWindowSize(2 ** 20);
  const { effectiveLocalWindowSize, localWindowSize } = stream.session.state;
  note('server', effectiveLocalWindowSize, localWindowSize, Object.keys(stream.session.state));
  stream.respond();
  stream.end(Buffer.alloc(300_000, 'x'));
}, (client, server) => {
  const request = client.request();
  let size = 0;
  request.pause();
  request.on('response', () => {
    // Nobody reads: what arrives stops at the window.
    setTimeout(() => {
      note('client', 'waiting', request.readableLength <= 65535, request.readableLength > 0);
      request.on('data', (chunk) => { size += chunk.length; });
      request.resume();
      request.on('close', () => {
        note('client', size, request.state);
        close(client, server);
      });
    }, 200);
  });
});
