// rondo-test: scratch
'use strict';
// net.BoundSocket: the address is taken when it is made; a server or a client takes the socket over.
const fs = require('node:fs');
const net = require('node:net');

function attempt(name, action) {
  try {
    return action();
  } catch (error) {
    console.log(name, error.name, error.code, error.syscall, error.message.replaceAll(/\d{4,}/g, 'N'));
  }
}

const refused = [
  null, 1, [], { port: -1 }, { port: '80x' }, { host: 1 }, { host: 'localhost' }, { ipv6Only: 1 }, { reusePort: 1 },
  { path: 1 }, { path: 'x', port: 1 }, { path: 'missing/folder' }, { path: 'a\0b' }, { path: 'x'.repeat(200) },
  { host: '192.0.2.1' },
];
refused.forEach((options, i) => attempt(i, () => new net.BoundSocket(options)));

const free = new net.BoundSocket();
console.log(free, free.isPipe, free.address().address, free.address().port > 0, free.fd() > 2);
free.close();
for (const name of ['address', 'fd', 'close']) attempt(name, () => free[name]());
free[Symbol.dispose]();
attempt('listen', () => net.createServer().listen(free));
attempt('Socket', () => new net.Socket({ handle: free }));

const named = new net.BoundSocket({ path: 'named' });
console.log(named.isPipe, named.address(), fs.existsSync('named'));
attempt('second', () => new net.BoundSocket({ path: 'named' }));
named.close();
console.log(fs.existsSync('named'));

function talk(name, server, target, client, then) {
  server.on('connection', (socket) => socket.on('data', (data) => socket.end(`${data}!`)));
  server.listen(...target, () => {
    const { port = server.address() } = server.address();
    client.connect(port);
    const { localAddress, localPort } = client;
    console.log(name, localAddress, client.connecting);
    client.on('connect', () => {
      console.log(name, 'connected', client.localAddress === localAddress, client.localPort === localPort);
      client.end('hello');
    });
    client.on('data', (data) => console.log(name, `${data}`));
    client.on('close', () => server.close(then));
  });
}

const endpoint = new net.BoundSocket({ host: '127.0.0.1' });
const { port } = endpoint.address();
const server = net.createServer();
const client = new net.Socket({ handle: new net.BoundSocket({ host: '127.0.0.1' }) });
console.log(client.readyState, client.pending);
attempt('localPort', () => client.connect({ port, localPort: 1 }));
talk('tcp', server, [endpoint, () => console.log(server.address().port === port)], client, () => {
  const local = new net.Socket({ handle: new net.BoundSocket({ path: 'client' }) });
  talk('path', net.createServer(), [{ handle: new net.BoundSocket({ path: 'server' }) }], local, () => {
    console.log(fs.existsSync('client'), fs.existsSync('server'));
    fail();
  });
});

// Failures to connect are always reported later.
function fail() {
  const targets = [{ host: '::1', port: 1 }, { host: '127.0.0.1', port: 1 }];
  const next = () => {
    const target = targets.shift();
    if (target === undefined) return;
    const socket = new net.Socket({ handle: new net.BoundSocket({ host: '127.0.0.1' }) });
    socket.on('error', (error) => console.log(error.code, error.message.replaceAll(/\d{4,}/g, 'N')));
    socket.on('close', next);
    socket.connect(target);
    console.log('connecting', socket.localAddress);
  };
  next();
}
