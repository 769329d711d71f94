'use strict';
// A client of another process sends 1 GiB. One operation is 64 KiB, and what counts is the server.
const { spawn } = require('node:child_process');
const net = require('node:net');

const kSize = 2 ** 30;
const [role, port] = process.argv.slice(2);

function client() {
  const socket = net.connect(port, '127.0.0.1');
  const chunk = Buffer.alloc(65536, 'x');
  let left = kSize;
  (function write() {
    while (left > 0) {
      left -= chunk.length;
      if (!socket.write(chunk)) {
        socket.once('drain', write);
        return;
      }
    }
    socket.end();
  })();
}

function server() {
  const listener = net.createServer((socket) => {
    const cpu = process.cpuUsage();
    const started = performance.now();
    let received = 0;
    socket.on('data', (chunk) => {
      received += chunk.length;
    });
    socket.on('end', () => {
      if (received !== kSize) throw new Error(`${received} bytes`);
      const passed = performance.now() - started;
      const { user, system } = process.cpuUsage(cpu);
      console.log((passed * 1e6) / (kSize / 65536), ((user + system) * 1e3) / (kSize / 65536));
      process.exit(0);
    });
  });
  listener.listen(0, '127.0.0.1', () => {
    spawn(process.execPath, [__filename, 'client', String(listener.address().port)], { stdio: 'inherit' });
  });
}

if (role === 'client') client();
else server();
