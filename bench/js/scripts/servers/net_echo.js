'use strict';
// Argument: how many connections. Clients of another process send 64 bytes and wait for them. One operation is a
// round trip, and what counts is the server.
const { spawn } = require('node:child_process');
const net = require('node:net');

const kWarmUp = 100_000;
const kRoundTrips = 400_000;
const [connections, role, port] = process.argv.slice(2);

function client(port, connections) {
  const message = Buffer.alloc(64, 'x');
  for (let i = 0; i < connections; i++) {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(message)).setNoDelay(true);
    let received = 0;
    socket.on('data', (chunk) => {
      received += chunk.length;
      if (received < 64) return;
      received -= 64;
      socket.write(message);
    });
    socket.on('error', () => process.exit(0));
  }
}

function server() {
  let trips = 0;
  let cpu;
  let started;
  const listener = net.createServer({ noDelay: true }, (socket) => {
    socket.on('data', (chunk) => {
      socket.write(chunk);
      if (++trips === kWarmUp) {
        cpu = process.cpuUsage();
        started = performance.now();
      } else if (trips === kWarmUp + kRoundTrips) {
        const passed = performance.now() - started;
        const { user, system } = process.cpuUsage(cpu);
        console.log((passed * 1e6) / kRoundTrips, ((user + system) * 1e3) / kRoundTrips);
        process.exit(0);
      }
    });
    socket.on('error', () => {});
  });
  listener.listen(0, '127.0.0.1', () => {
    spawn(process.execPath,
      [__filename, connections, 'client', String(listener.address().port)], { stdio: 'inherit' });
  });
}

if (role === 'client') client(Number(port), Number(connections));
else server();
