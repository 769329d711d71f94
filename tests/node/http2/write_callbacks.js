'use strict';
// A write that has not gone when its stream is over calls back before 'error' and 'close' of the stream.
const http2 = require('http2');

const kWays = {
  'reset by the peer': (stream, request) => request.close(http2.constants.NGHTTP2_CANCEL),
  'reset by the peer with an error': (stream, request) => request.close(http2.constants.NGHTTP2_INTERNAL_ERROR),
  'session destroyed by the peer': (stream, request) => request.session.destroy(),
  'closed': (stream) => stream.close(http2.constants.NGHTTP2_CANCEL),
  'closed with an error': (stream) => stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR),
  'destroyed': (stream) => stream.destroy(),
  'destroyed with an error': (stream) => stream.destroy(new Error('mine')),
};

function run(end) {
  return new Promise((resolve) => {
    const log = [];
    const server = http2.createServer();
    server.on('stream', (stream) => {
      stream.respond();
      for (const event of ['error', 'aborted', 'finish']) stream.on(event, (error) => log.push(`${event} ${error?.message}`));
      stream.on('close', () => {
        log.push(`close ${stream.rstCode}`);
        setImmediate(() => {
          client.destroy();
          server.close(() => resolve(log));
        });
      });
      for (const name of ['first', 'second']) {
        stream.write(Buffer.alloc(1 << 20), (error) => log.push(`${name} ${error?.message}`));
      }
      request.on('response', () => setImmediate(end, stream, request));
    });
    let client;
    let request;
    server.listen(0, '127.0.0.1', () => {
      client = http2.connect(`http://127.0.0.1:${server.address().port}`);
      client.on('error', () => {});
      request = client.request({ ':method': 'POST' });
      request.on('error', () => {});
      request.write('x');
    });
  });
}

(async () => {
  for (const [name, end] of Object.entries(kWays)) console.log(`${name}\n  ${(await run(end)).join('\n  ')}`);
})();
