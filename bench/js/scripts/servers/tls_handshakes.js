'use strict';
// Argument: "new" or "resumed". Clients of other processes connect and leave again. One operation is a connection
// (TLS 1.3, ECDSA), and what counts is the server. The clients are the same for all runtimes.
const fs = require('node:fs');
const path = require('node:path');
const tls = require('node:tls');
const { clock, finish, pin, spawnOther } = require('./load.js');

const kWarmUp = 1_000;
const kConnections = 3_000;
const kTogether = 8;
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
  let stop;
  const listener = tls.createServer({
    key: fs.readFileSync(path.join(keys, 'key.pem')), cert: fs.readFileSync(path.join(keys, 'cert.pem')),
  }, (socket) => {
    socket.on('error', () => {});
    socket.end('x');
    count++;
    if (count === kWarmUp) stop = clock();
    else if (count === kWarmUp + kConnections) finish(stop(), kConnections);
  });
  listener.listen(0, '127.0.0.1', () => {
    pin();
    spawnOther(process.env.RONDO_BENCH_CLIENT || process.execPath,
      [__filename, kind, 'client', String(listener.address().port)], { stdio: 'inherit' });
  });
}

if (role === 'client') for (let i = 0; i < kTogether; i++) client();
else server();
