'use strict';
// Bodies of many sizes there and back, many streams at a time.
const { createHash } = require('crypto');
const { close, note, pair } = require('./fixtures/pair');

const digest = (buffer) => createHash('sha1').update(buffer).digest('hex').slice(0, 10);
const sizes = [0, 1, 100, 16383, 16384, 16385, 65535, 65536, 200_000, 1_000_000];

pair({}, (stream) => {
  stream.respond();
  stream.pipe(stream);
}, (client, server) => {
  let left = sizes.length;
  const results = [];
  sizes.forEach((size, i) => {
    const body = Buffer.alloc(size, `${size}abc`);
    const request = client.request({ ':method': 'POST' });
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('close', () => {
      const got = Buffer.concat(chunks);
      results[i] = `${size} ${got.length} ${digest(got) === digest(body)} ${request.rstCode}`;
      if (--left > 0) return;
      for (const line of results) note('client', line);
      close(client, server);
    });
    request.end(body);
  });
});
