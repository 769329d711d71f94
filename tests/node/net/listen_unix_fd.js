// rondo-test: scratch
'use strict';
// A server on the descriptor of a Unix socket that another process has bound. A descriptor that a handle of this process has is refused:
// both would close it.
const net = require('net');
const path = require('path');
const { spawn } = require('child_process');
const { once } = require('events');

async function inherited() {
  const name = `rondo-listen-unix-fd-${process.pid}`; // abstract: closing removes no file
  const server = net.createServer().listen(`\0${name}`);
  await once(server, 'listening');
  const child = spawn(process.execPath, [path.join(__dirname, 'fixtures', 'activated_unix.js'), name],
    { stdio: ['pipe', 'inherit', 'inherit', server._handle.fd] });
  await once(child, 'spawn');
  server.close();
  await once(server, 'close');
  child.stdin.end(); // from now on the connections are the child's
  const [code] = await once(child, 'exit');
  console.log('exit', code);
}

async function refused(where) {
  const server = net.createServer((socket) => {
    try {
      new net.Socket({ fd: socket._handle.fd });
    } catch (error) {
      console.log(error.message, error.code, error.syscall);
    }
    socket.end('still there');
  });
  server.listen(where);
  await once(server, 'listening');
  const another = net.createServer().listen({ fd: server._handle.fd });
  const [error] = await once(another, 'error');
  console.log(error.message, error.code, another.listening);
  const client = net.connect(where.path ? where : server.address());
  client.setEncoding('utf8').on('data', (text) => console.log(text));
  await once(client, 'close');
  server.close();
  await once(server, 'close');
}

(async () => {
  await inherited();
  await refused({ path: 'own' });
  await refused({ port: 0, host: '127.0.0.1' });
})();
