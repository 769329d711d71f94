'use strict';
// Requests of a client on a connection that is kept: as they arrive.
const http = require('node:http');
const net = require('node:net');

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
let connections = 0;
const server = net.createServer((socket) => {
  connections++;
  socket.setEncoding('latin1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
    const [head, body] = text.split(/\r\n\r\n(.*)/s);
    const [, length] = /content-length: (\d+)/i.exec(head) ?? [];
    const isWhole = length !== undefined ? body?.length >= Number(length) :
      /chunked/.test(head) ? body?.endsWith('0\r\n\r\n') : body !== undefined;
    if (!isWhole) return;
    console.log(JSON.stringify(text.replace(/localhost:\d+/, 'host')));
    text = '';
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok');
  });
});
server.listen(0, async () => {
  const send = (options, write) => new Promise((resolve) => {
    const request = http.request({ port: server.address().port, agent, ...options }, (response) => {
      response.resume();
      response.on('close', resolve);
    });
    const events = [];
    request.on('finish', () => events.push('finish'));
    request.on('close', () => console.log(events.join(), request.reusedSocket));
    write(request);
  });
  await send({}, (request) => request.end());
  await send({ method: 'POST' }, (request) => request.end('the end'));
  await send({ method: 'POST' }, (request) => request.end(Buffer.from('buffer end')));
  await send({ method: 'POST' }, (request) => request.end('\u20ac end'));
  await send({ method: 'POST' }, (request) => request.end('00ff END', 'latin1'));
  await send({ method: 'POST' }, (request) => {
    request.write('first');
    setImmediate(() => request.end('second'));
  });
  await send({ method: 'PUT', headers: { 'Content-Length': 9 } }, (request) => {
    request.write('first ');
    request.end('end');
  });
  await send({ method: 'DELETE' }, (request) => request.end());
  console.log(connections);
  agent.destroy();
  server.close();
});
