// ws and socket.io, both ends of each, and the browser's WebSocket against ws.
import { once } from 'node:events';
import http from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { Server as IoServer } from 'socket.io';
import { io } from 'socket.io-client';
import { WebSocket as WsClient, WebSocketServer } from 'ws';

const server = http.createServer();
const closed = []; // at the server: either end may hear of it first
const sockets = new WebSocketServer({ server, path: '/ws', perMessageDeflate: { threshold: 100 } });
sockets.on('connection', (socket, request) => {
  console.log('connection', request.url, socket.protocol, socket.extensions);
  socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
  socket.on('close', (code, reason) => closed.push(`${code} ${reason}`));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address();

const client = new WsClient(`ws://127.0.0.1:${port}/ws`);
await once(client, 'open');
for (const message of ['hello', 'x'.repeat(200_000), Buffer.alloc(70_000, 1)]) {
  client.send(message);
  const [data, isBinary] = await once(client, 'message');
  console.log(isBinary, data.length, Buffer.from(message).equals(data));
}
client.ping('are you there');
console.log(String((await once(client, 'pong'))[0]));
client.close(4001, 'enough');
console.log('client closes', (await once(client, 'close')).map(String));

const browser = new WebSocket(`ws://127.0.0.1:${port}/ws`);
await once(browser, 'open');
browser.binaryType = 'arraybuffer';
browser.send('text');
console.log((await once(browser, 'message'))[0].data);
browser.send(new Uint8Array([1, 2, 3]));
console.log(new Uint8Array((await once(browser, 'message'))[0].data));
browser.close(1000, 'bye');
const [{ code, reason, wasClean }] = await once(browser, 'close');
console.log(code, reason, wasClean);

const terminated = new WsClient(`ws://127.0.0.1:${port}/ws`);
await once(terminated, 'open');
terminated.terminate();
console.log('terminated', (await once(terminated, 'close')).map(String));
const refused = new WsClient(`ws://127.0.0.1:${port}/elsewhere`);
const [error] = await once(refused, 'error').catch((thrown) => [thrown]);
console.log(error.message);

while (closed.length < 3) await setTimeout(10);
console.log(closed);

const main = new IoServer(http.createServer().listen(0, '127.0.0.1'));
await once(main.httpServer, 'listening');
main.on('connection', (socket) => {
  socket.join('room');
  socket.on('question', (a, b, answer) => answer({ sum: a + b }));
  socket.on('binary', (data) => socket.emit('binary', Buffer.concat([data, data])));
  socket.on('all', (text) => main.to('room').emit('told', text));
});
const url = `http://127.0.0.1:${main.httpServer.address().port}`;
for (const transports of [['polling'], ['websocket'], ['polling', 'websocket']]) {
  const socket = io(url, { transports, forceNew: true });
  await new Promise((resolve) => socket.on('connect', resolve));
  console.log(transports.join(), await socket.emitWithAck('question', 20, 22));
  socket.emit('binary', Buffer.from('ab'));
  console.log(String(await new Promise((resolve) => socket.once('binary', resolve))));
  socket.emit('all', 'everybody');
  console.log(await new Promise((resolve) => socket.once('told', resolve)));
  socket.disconnect();
}
process.exit();
