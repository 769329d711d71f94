// A peer that resets a stream without an error takes nothing of what waits to be written: the stream closes all the same,
// and with it the session.
const http2 = require('http2');

const server = http2.createServer();
let left = 2;
server.on('stream', (stream, headers) => {
  const name = headers[':path'];
  stream.on('error', (error) => console.log(name, 'error', error.code));
  stream.on('aborted', () => console.log(name, 'aborted'));
  stream.on('close', () => console.log(name, 'close', stream.rstCode, stream.writableFinished));
  stream.respond({ ':status': 200 });
  const body = Buffer.alloc(200_000); // more than the window of the client
  if (name === '/write') stream.write(body);
  else stream.end(body);
});
server.on('session', (session) => session.on('close', () => {
  console.log('session closed');
  if (--left === 0) server.close(() => console.log('server closed'));
}));

function run(paths) {
  if (paths.length === 0) return;
  const client = http2.connect(`http://localhost:${server.address().port}`);
  const stream = client.request({ ':path': paths[0] });
  stream.on('response', () => setTimeout(() => {
    stream.close(http2.constants.NGHTTP2_NO_ERROR);
    stream.resume();
  }, 50));
  stream.on('close', () => client.close());
  client.on('close', () => run(paths.slice(1)));
}
server.listen(0, () => run(['/write', '/end']));
