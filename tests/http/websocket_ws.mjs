// npm's ws, on real Node, as the other end of rondo::WebSocket: as a client of our server, and as the server of our
// client. Arguments: the program websocket_peer, the folder that has node_modules.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import assert from 'node:assert';

const [program, packages] = process.argv.slice(2);
const { WebSocket, WebSocketServer } = createRequire(`${packages}/`)('ws');

async function output(child, lines) {
  for await (const line of createInterface({ input: child.stdout })) lines.push(line);
}

async function asClient() {
  const child = spawn(program, ['serve'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const lines = [];
  const ended = output(child, lines);
  while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const url = `ws://${lines[0]}/`;
  for (const perMessageDeflate of [false, true]) {
    const socket = new WebSocket(url, { perMessageDeflate });
    await once(socket, 'open');
    const echoed = [];
    let pongs = 0;
    socket.on('message', (data, isBinary) => echoed.push(isBinary ? data : data.toString()));
    socket.on('pong', (data) => { assert.equal(data.toString(), 'ping'); pongs++; });
    const text = 'grüße '.repeat(50_000);
    const bytes = Buffer.alloc(1 << 20, 7);
    socket.send('hello');
    socket.send('');
    socket.send(text);
    socket.send(bytes);
    socket.send('three ', { fin: false });
    socket.send('frag', { fin: false });
    socket.ping('ping');
    socket.send('ments', { fin: true });
    while (echoed.length < 5 || pongs < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(echoed, ['hello', '', text, bytes, 'three fragments']);
    assert.equal(socket.extensions, perMessageDeflate ? 'permessage-deflate' : '');
    socket.close(perMessageDeflate ? 4000 : 3001, 'done');
    const [code, reason] = await once(socket, 'close');
    assert.equal(code, perMessageDeflate ? 4000 : 3001);
    assert.equal(reason.toString(), '');
  }
  assert.deepEqual(await exited, [0, null]);
  await ended;
  assert.deepEqual(lines.slice(1), ['closed by the client: 3001 done', 'closed by the client: 4000 done']);
}

async function asServer() {
  for (const perMessageDeflate of [false, true]) {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate });
    await once(server, 'listening');
    let pings = 0;
    server.on('connection', (socket) => {
      let echoed = 0;
      socket.on('ping', () => pings++);
      socket.on('message', (data, isBinary) => {
        socket.send(data, { binary: isBinary });
        if (++echoed === 3) socket.close(4001, 'enough');
      });
    });
    const child = spawn(program, ['connect', `ws://127.0.0.1:${server.address().port}/`],
      { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = [];
    const ended = output(child, lines);
    assert.deepEqual(await once(child, 'exit'), [0, null]);
    await ended;
    assert.deepEqual(lines, [`deflates: ${perMessageDeflate ? 'yes' : 'no'}`, 'text hello', 'text 300000 bytes',
      'binary of two', 'ERR_WEBSOCKET_CLOSED: 4001 enough']);
    assert.equal(pings, 1);
    server.close();
  }
}

await asClient();
await asServer();
console.log('both ways');
