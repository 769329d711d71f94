// rondo-test: scratch
// A child inherits sockets by their descriptors, and continues with them when the parent has closed its own.
'use strict';
const { spawn } = require('child_process');
const { once } = require('events');
const fs = require('fs');
const net = require('net');

const child = {
  server: () => {
    const server = net.createServer((socket) => socket.end(`child accepts on ${server.address()?.address}\n`));
    server.listen({ fd: 3 }, () => console.log('listening'));
  },
  connection: () => {
    const socket = new net.Socket({ fd: 3 });
    console.log('open');
    socket.on('data', (data) => {
      socket.end(`child got ${data}`);
    });
  },
};

async function inherit(kind, fd) {
  const process_ = spawn(process.execPath, [__filename, kind], { stdio: ['ignore', 'pipe', 'inherit', fd] });
  await once(process_.stdout, 'data');
  return process_;
}

async function text(stream) {
  let all = '';
  for await (const piece of stream) all += piece;
  return all;
}

async function servers(...where) {
  const server = net.createServer((socket) => socket.end('parent accepts\n')).listen(...where);
  await once(server, 'listening');
  const target = typeof where[0] === 'string' ? where[0] : { port: server.address().port, host: '127.0.0.1' };
  console.log(await text(net.connect(target)));
  const heir = await inherit('server', server._handle.fd);
  if (typeof where[0] === 'string') fs.linkSync(where[0], `${where[0]}.kept`);
  server.close();
  await once(server, 'close');
  console.log(await text(net.connect(typeof target === 'string' ? `${target}.kept` : target)));
  heir.kill();
  await once(heir, 'close');
}

async function connections() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = net.connect(server.address());
  const [socket] = await once(server, 'connection');
  socket.pause();
  const heir = await inherit('connection', socket._handle.fd);
  socket.destroy();
  await once(socket, 'close');
  client.write('bytes\n');
  console.log(await text(client));
  server.close();
  await once(heir, 'close');
}

if (process.argv[2]) {
  child[process.argv[2]]();
} else {
  (async () => {
    await servers(0, '127.0.0.1');
    await servers('server.sock');
    await connections();
    console.log('done');
  })();
}
