'use strict';
// fetch() of a node:http server in the same process: compressed answers, streams both ways, forms, many at a time.
const http = require('http');
const zlib = require('zlib');

const server = http.createServer((request, response) => {
  if (request.url === '/zipped') {
    response.setHeader('content-encoding', 'gzip');
    response.end(zlib.gzipSync('zipped'));
    return;
  }
  if (request.url === '/slow') {
    response.write('a');
    setTimeout(() => response.end('b'), 20);
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => response.end(`${request.method} ${Buffer.concat(chunks)} ${request.headers['content-type']}`));
});

server.listen(0, async () => {
  const base = `http://127.0.0.1:${server.address().port}`;
  console.log(await (await fetch(`${base}/zipped`)).text());
  for await (const chunk of (await fetch(`${base}/slow`)).body) console.log(Buffer.from(chunk).toString());
  const body = ReadableStream.from([Buffer.from('x'), Buffer.from('y')]);
  console.log(await (await fetch(base, { method: 'POST', body, duplex: 'half' })).text());
  const form = new FormData();
  form.append('a', 'b');
  form.append('f', new File(['q'], 'n.txt'));
  const sent = await (await fetch(base, { method: 'PUT', body: form })).text();
  console.log(sent.replace(/formdata-undici-\d+/g, 'boundary'));
  const texts = await Promise.all(Array.from({ length: 20 }, async (_, i) =>
    (await fetch(base, { method: 'POST', body: `${i}` })).text()));
  console.log(texts.join());
  server.closeAllConnections();
  server.close();
});
