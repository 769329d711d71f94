'use strict';
// Argument: "new" or "resumed". Clients of another process connect and leave again. One operation is a connection
// (TLS 1.3, ECDSA), and what counts is the server.
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const tls = require('node:tls');

const kProcesses = 2;
const kWarmUp = 300;
const kConnections = 2_000;
const [kind, role, port] = process.argv.slice(2);

function client() {
  let session;
  (function connect() {
    const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false, session });
    if (kind === 'resumed') {
      socket.once('session', (ticket) => {
        session = ticket;
      });
    }
    socket.on('error', () => process.exit());
    socket.on('data', () => socket.end());
    socket.on('close', connect);
  })();
}

function server() {
  const keys = path.join(__dirname, 'keys');
  let count = 0;
  let cpu;
  let started;
  const listener = tls.createServer({
    key: fs.readFileSync(path.join(keys, 'key.pem')), cert: fs.readFileSync(path.join(keys, 'cert.pem')),
  }, (socket) => {
    socket.on('error', () => {});
    socket.end('x');
    count++;
    if (count === kWarmUp) {
      cpu = process.cpuUsage();
      started = performance.now();
    } else if (count === kWarmUp + kConnections) {
      const passed = performance.now() - started;
      const { user, system } = process.cpuUsage(cpu);
      console.log((passed * 1e6) / kConnections, ((user + system) * 1e3) / kConnections);
      process.exit(0);
    }
  });
  listener.listen(0, '127.0.0.1', () => {
    for (let i = 0; i < kProcesses; i++) {
      spawn(process.execPath, [__filename, kind, 'client', String(listener.address().port)], { stdio: 'inherit' });
    }
  });
}

if (role === 'client') for (let i = 0; i < 4; i++) client();
else server();
