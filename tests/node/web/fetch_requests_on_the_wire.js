'use strict';
// Requests of fetch() byte for byte.
const net = require('net');

const server = net.createServer((socket) => {
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    text += chunk;
    if (!/\r\n\r\n(.*0\r\n\r\n|.*end)?$/s.test(text)) return;
    console.log(JSON.stringify(text.replace(/:\d{4,5}/g, ':port')));
    text = '';
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\nX-A: 1\r\nX-A: 2\r\nSet-Cookie: a\r\nSet-Cookie: b\r\n\r\nok');
  });
});
server.listen(0, '127.0.0.1', async () => {
  const base = `http://127.0.0.1:${server.address().port}`;
  const response = await fetch(`${base}/a b?c=d#e`);
  console.log([...response.headers], response.headers.getSetCookie(), await response.text());
  await (await fetch(base, { method: 'DELETE', headers: { 'X-Own': 'Value', 'User-Agent': 'us' } })).text();
  await (await fetch(base, { headers: [['a', '1'], ['a', '2']], cache: 'no-store' })).text();
  await (await fetch(base, { method: 'POST', body: ReadableStream.from([Buffer.from('stream')]), duplex: 'half' })).text();
  await (await fetch(new Request(`${base}/request`, { method: 'OPTIONS' }))).text();
  server.close();
});
