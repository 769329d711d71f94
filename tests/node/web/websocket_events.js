'use strict';
// WebSocket against a server of a few lines: events in their order, and what is refused.
const { createHash } = require('crypto');
const http = require('http');

const server = http.createServer();
server.on('upgrade', (request, socket) => {
  const accept = createHash('sha1')
    .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  const key = request.url === '/wrong' ? 'wrong' : accept;
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`);
  socket.on('error', () => {});
  const frame = (opcode, bytes) => Buffer.concat([Buffer.from([0x80 | opcode, bytes.length]), bytes]);
  if (request.url === '/greets') {
    socket.write(frame(1, Buffer.from('hello')));
    socket.write(frame(2, Buffer.from([1, 2, 3])));
    socket.end(frame(8, Buffer.from([3, 232, 111, 107])));
  } else if (request.url === '/vanishes') {
    socket.destroy();
  } else if (request.url === '/nonsense') {
    socket.end(Buffer.from([0xff, 0xff, 0xff]));
  }
});
server.on('request', (request, response) => response.writeHead(404).end());
server.listen(0, '127.0.0.1', async () => {
  for (const path of ['/greets', '/vanishes', '/nonsense', '/wrong']) {
    const socket = new WebSocket(`ws://127.0.0.1:${server.address().port}${path}`);
    socket.binaryType = 'arraybuffer';
    console.log(path, socket.readyState, socket.bufferedAmount, socket.protocol);
    socket.onopen = () => console.log('open', socket.readyState);
    socket.onmessage = ({ data }) => console.log('message', data);
    socket.onerror = ({ type }) => console.log(type);
    await new Promise((resolve) => {
      socket.onclose = ({ code, reason, wasClean }) => {
        console.log('close', code, reason, wasClean, socket.readyState);
        resolve();
      };
    });
  }
  for (const args of [['http:/x y'], ['ftp://a'], ['ws://a/#b'], ['ws://a', ['p', 'p']], ['ws://a', 'a b']]) {
    try {
      new WebSocket(...args);
      console.log('made', args);
    } catch ({ name, message }) {
      console.log(name, message);
    }
  }
  server.closeAllConnections();
  server.close();
});
