// maxSessionMemory may be as large as a program likes: @grpc/grpc-js asks for Number.MAX_SAFE_INTEGER.
'use strict';
const http2 = require('node:http2');

function exchange(maxSessionMemory) {
  const server = http2.createServer({ maxSessionMemory });
  server.on('stream', (stream) => {
    stream.respond();
    stream.end('hello');
  });
  server.listen(0, () => {
    const client = http2.connect(`http://localhost:${server.address().port}`, { maxSessionMemory });
    const request = client.request();
    request.setEncoding('utf8');
    request.on('data', (data) => console.log(maxSessionMemory, data));
    request.on('error', (error) => console.log(maxSessionMemory, error.message));
    request.on('close', () => {
      client.close();
      server.close(next);
    });
  });
}

const sizes = [0, 1, 0.5, 1e9, 2 ** 32 - 1, Number.MAX_SAFE_INTEGER, '1'];
function next() {
  if (sizes.length > 0) exchange(sizes.shift());
}
next();
