'use strict';
// util.promisify(connect), Symbol.asyncDispose of servers, iterators and pipelines on streams.
const { pipeline } = require('stream/promises');
const { text } = require('stream/consumers');
const { promisify } = require('util');
const http2 = require('http2');

async function main() {
  const server = http2.createServer();
  server.on('stream', (stream) => {
    stream.respond();
    pipeline(stream, stream).then(() => console.log('piped'));
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const connect = promisify(http2.connect);
  const client = await connect(`http://127.0.0.1:${server.address().port}`);
  const request = client.request({ ':method': 'POST' });
  request.end('round trip');
  console.log(await text(request));
  client.close();
  await server[Symbol.asyncDispose]();
  console.log('disposed', server.listening);
  const probe = require('net').createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => { probe.on('listening', resolve); });
  const { port } = probe.address();
  await new Promise((resolve) => { probe.close(resolve); });
  try {
    await connect(`http://127.0.0.1:${port}`);
  } catch (error) {
    console.log(error.code, error.syscall);
  }
}
main();
