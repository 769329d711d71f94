'use strict';
// fetch() of a server in the same process: bodies both ways, redirects, abort, data: and blob: URLs.
const net = require('net');

const answers = {
  '/hello': 'HTTP/1.1 200 Fine\r\ncontent-type: text/plain\r\nx-a: 1\r\nx-a: 2\r\ncontent-length: 5\r\n\r\nhello',
  '/chunks': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n',
  '/moved': 'HTTP/1.1 302 Found\r\nlocation: /hello\r\ncontent-length: 0\r\n\r\n',
  '/json': 'HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n{"a":1}',
  '/broken': 'nonsense\r\n\r\n',
};
const server = net.createServer((socket) => {
  let seen = '';
  socket.on('error', () => {});
  socket.on('data', (data) => {
    seen += data;
    const path = /^\w+ (\S+)/.exec(seen)?.[1];
    if (path === '/never') return;
    if (path === '/echo') {
      if (!seen.endsWith('0\r\n\r\n') && !seen.endsWith('END')) return;
      const body = seen.slice(seen.indexOf('\r\n\r\n') + 4);
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    } else {
      socket.write(answers[path]);
    }
    seen = '';
  });
});

server.listen(0, async () => {
  const base = `http://127.0.0.1:${server.address().port}`;
  const response = await fetch(`${base}/hello`);
  console.log(response.status, response.statusText, response.ok, [...response.headers], await response.text());
  console.log(await (await fetch(`${base}/chunks`)).text());
  const moved = await fetch(`${base}/moved`);
  console.log(moved.redirected, new URL(moved.url).pathname, await moved.text());
  console.log((await fetch(`${base}/moved`, { redirect: 'manual' })).status);
  console.log(await (await fetch(`${base}/json`)).json());
  console.log(await (await fetch(`${base}/echo`, { method: 'POST', body: 'text END' })).text());
  const body = ReadableStream.from(['one', 'two'].map((text) => new TextEncoder().encode(text)));
  console.log(JSON.stringify(await (await fetch(`${base}/echo`, { method: 'POST', body, duplex: 'half' })).text()));
  await fetch(`${base}/moved`, { redirect: 'error' }).catch((error) => console.log(error.message, error.cause.message));
  await fetch(`${base}/broken`).catch((error) => console.log(error.message, error.cause.name, error.cause.code));
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20);
  await fetch(`${base}/never`, { signal: controller.signal }).catch((error) => console.log(error.name, error.message));
  console.log(await (await fetch('data:text/plain;charset=utf-8,h%C3%A9')).text());
  const url = URL.createObjectURL(new Blob(['of a blob'], { type: 'x/y' }));
  const blob = await fetch(url);
  console.log(blob.headers.get('content-type'), await blob.text());
  await fetch('nonsense').catch((error) => console.log(error.message));
  server.close();
  await fetch(base).catch((error) => console.log(error.message, error.cause.code));
});
