'use strict';
// A large upload is answered with a large body; neither side reads all at once.
const http = require('node:http');
const { createHash } = require('node:crypto');

const size = 3 * 1024 * 1024;
const body = Buffer.alloc(size, 'abcdefghij');
const server = http.createServer((request, response) => {
  const hash = createHash('sha256');
  let length = 0;
  request.on('data', (chunk) => {
    length += chunk.length;
    hash.update(chunk);
  });
  request.on('end', () => {
    response.setHeader('X-Hash', hash.digest('hex'));
    response.setHeader('X-Length', length);
    response.end(body);
  });
});
server.listen(0, () => {
  const request = http.request({ port: server.address().port, method: 'POST' }, (response) => {
    console.log(response.headers['x-length'], response.headers['content-length']);
    const hash = createHash('sha256');
    response.on('data', (chunk) => {
      hash.update(chunk);
      response.pause();
      setImmediate(() => response.resume());
    });
    response.on('end', () => {
      console.log(hash.digest('hex') === response.headers['x-hash']);
      server.close();
    });
  });
  for (let i = 0; i < size; i += 65536) request.write(body.subarray(i, i + 65536));
  request.end();
});
