'use strict';
// close() with codes, from both sides: errors, 'aborted', rstCode.
const { attempt, http2, note, pair, show } = require('./fixtures/pair');

const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM, NGHTTP2_INTERNAL_ERROR } = http2.constants;
const codes = [NGHTTP2_NO_ERROR, NGHTTP2_CANCEL, NGHTTP2_REFUSED_STREAM, NGHTTP2_INTERNAL_ERROR, 100];

pair({}, (stream, headers) => {
  const name = headers[':path'];
  stream.on('aborted', () => note('server', name, 'aborted'));
  stream.on('error', (error) => note('server', name, show(error)));
  stream.on('close', () => note('server', name, 'closed', stream.rstCode, stream.aborted));
  if (name.startsWith('/server')) {
    stream.respond();
    stream.close(Number(name.split('-')[1]), () => note('server', name, 'callback'));
  }
}, (client, server) => {
  attempt(() => client.request().close('x'));
  attempt(() => client.request().close(-1));
  attempt(() => client.request().close(0, 5));
  const run = ([name, ...rest]) => {
    if (name === undefined) {
      client.destroy();
      server.close();
      return;
    }
    const request = client.request({ ':path': name, ':method': 'POST' });
    request.on('aborted', () => note('client', name, 'aborted'));
    request.on('error', (error) => note('client', name, show(error)));
    request.on('close', () => {
      note('client', name, 'closed', request.rstCode, request.aborted);
      setTimeout(run, 30, rest);
    });
    request.resume();
    if (name.startsWith('/client')) setTimeout(() => request.close(Number(name.split('-')[1])), 20);
  };
  run(codes.flatMap((code) => [`/server-${code}`, `/client-${code}`]));
});
