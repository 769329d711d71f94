// Sockets and servers handed over to Workers, and those that cannot be.
const { once } = require('node:events');
const http = require('node:http');
const net = require('node:net');
const { MessageChannel, Worker, isMainThread, parentPort, threadId } = require('node:worker_threads');

const attempt = (run) => {
  try {
    console.log('accepted', typeof run());
  } catch ({ name, code, message }) {
    console.log(name, code, message);
  }
};

async function get(port, text = '') {
  const socket = net.connect(port, '127.0.0.1').setEncoding('utf8');
  socket.end(text);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer;
}

async function refusals() {
  const { port1 } = new MessageChannel();
  for (const object of [net.createServer(), new net.Socket(), http.createServer()]) {
    attempt(() => port1.postMessage(object, [object]));
    attempt(() => port1.postMessage(object));
    attempt(() => structuredClone(object));
  }
  const server = net.createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = net.connect(server.address().port, '127.0.0.1');
  attempt(() => port1.postMessage(client, [client]));
  const [socket] = await once(server, 'connection');
  client.write('data');
  await once(socket, 'data');
  attempt(() => port1.postMessage(socket, [socket]));
  console.log(socket.destroyed, socket._handle !== null);
  socket.end();
  client.end();
  server.close();
  await once(server, 'close');
  port1.close();
}

async function sameThread() {
  const server = net.createServer(() => console.log('never')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  const moved = structuredClone({ server }, { transfer: [server] }).server;
  console.log(moved instanceof net.Server, server._handle, server.listening, server.address());
  await once(moved, 'listening');
  moved.on('connection', (socket) => {
    const copy = structuredClone(socket, { transfer: [socket] });
    console.log(socket.destroyed, socket.writable, copy instanceof net.Socket, copy.remoteAddress);
    socket.write('lost', (error) => console.log(error.code));
    copy.end('from the copy');
  });
  console.log(await get(port));
  moved.close();
  server.close((error) => console.log(error.code));
}

async function workers() {
  const list = [new Worker(__filename), new Worker(__filename)];
  await Promise.all(list.map((worker) => once(worker, 'message')));
  let next = 0;
  const front = net.createServer({ pauseOnConnect: true }, (socket) => {
    list[next++ % 2].postMessage({ socket }, [socket]);
  }).listen(0, '127.0.0.1');
  await once(front, 'listening');
  const { port } = front.address();
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => get(port, `text ${i}`)));
  console.log(answers.map((answer) => answer.replace(/^\d+ /, '')).join(), new Set(answers.map((answer) => answer.split(' ')[0])).size);
  list[0].postMessage({ server: front }, [front]);
  await once(list[0], 'message');
  console.log((await Promise.all(Array.from({ length: 5 }, () => get(port)))).map((answer) => answer.replace(/^\d+ /, '')).join());
  for (const worker of list) await worker.terminate();
}

function serve() {
  parentPort.on('message', ({ socket, server }) => {
    if (server !== undefined) {
      server.on('connection', (connection) => connection.end(`${threadId} accepted here`));
      server.on('listening', () => parentPort.postMessage('listening'));
      return;
    }
    socket.setEncoding('utf8');
    let text = '';
    socket.on('data', (chunk) => { text += chunk; });
    socket.on('end', () => socket.end(`${threadId} ${text}`));
  });
  parentPort.postMessage('ready');
}

async function main() {
  await refusals();
  await sameThread();
  await workers();
}

if (isMainThread) main();
else serve();
