'use strict';
// Many small chunks are one body, in whatever packets they come.
const { run } = require('./fixtures/raw.js');

const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
run({
  inOneGo: `${head}${'1\r\nx\r\n'.repeat(200_000)}0\r\n\r\n`,
  split: [`${head}1\r`, '\nx', '\r\n1\r\ny\r\n0', '\r\nTrail', 'er: z\r\n\r', '\n'],
}, (request, response) => {
  let length = 0;
  request.on('data', (chunk) => {
    length += chunk.length;
  });
  request.on('end', () => {
    response.setHeader('Connection', 'close');
    response.end(`${length} ${JSON.stringify(request.trailers)}`);
  });
});
