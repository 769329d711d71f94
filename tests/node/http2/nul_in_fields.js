// A NUL in a field, of a request or a response, is an error of its stream: no other field comes out of it, and the others go on.
'use strict';
const http2 = require('http2');

const server = http2.createServer((request, response) => {
  console.log(request.url, request.headers['x-a'], request.headers['x-admin']);
  response.on('error', (error) => console.log('response', error.code));
  response.setHeader('x-echo', decodeURIComponent(request.url.slice(1)));
  response.end('answer');
});

const attempts = [
  { ':path': '/%00%00' },
  { ':path': '/ok' },
  { ':path': '/a%00b' },
  { ':path': '/x%00set-cookie%00evil=1' },
  { ':path': '/\0\0' },
  { ':path': '/x', 'x-a': '\u0100\u0100' },
  { ':path': '/x', 'x-a': 'v\x000x-admin\x00true' },
  { ':path': '/x', 'x-a': ['one', 'v\0\0'] },
  { ':path': '/x', 'x-a': '' },
  { ':path': '/x', 'x-a': ['1', '', '2'] },
  { ':path': '/e%C3%A9', 'x-a': 12.5 },
  { ':path': '/10 1 a', 'x-a': '3 4 abcdefg' },
];

function attempt(client, headers) {
  return new Promise((resolve) => {
    const request = client.request(headers);
    request.on('response', (received) => console.log(received[':status'], received['x-echo'], received['set-cookie']));
    request.on('error', (error) => console.log(error.code, error.message));
    request.on('close', resolve);
    request.resume();
  });
}

server.listen(0, async () => {
  const client = http2.connect(`http://localhost:${server.address().port}`);
  for (const headers of attempts) {
    console.log(JSON.stringify(headers));
    await attempt(client, headers);
  }
  client.close();
  server.close();
});
