'use strict';
// Opens 10,000 connections from another process, each with one request that is answered, and prints the bytes of resident
// memory that one takes in the server while it is idle: by hand, with `ulimit -n 25000`.
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const net = require('node:net');

const kConnections = 10_000;
const [role, port] = process.argv.slice(2);

function resident() {
  const [, pages] = fs.readFileSync('/proc/self/statm', 'latin1').split(' ');
  return Number(pages) * 4096;
}

function client() {
  let open = 0;
  (function connect() {
    const socket = net.connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
    socket.once('data', () => {
      if (++open < kConnections) connect();
    });
    socket.on('error', () => process.exit(1));
    socket.on('close', () => process.exit());
  })();
}

function server() {
  let requests = 0;
  const before = resident();
  const listener = http.createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    response.end('x');
    if (++requests < kConnections) return;
    setTimeout(() => {
      globalThis.gc?.();
      console.log(Math.round((resident() - before) / kConnections));
      process.exit();
    }, 1000);
  });
  listener.listen(0, '127.0.0.1', () => {
    spawn(process.execPath, [__filename, 'client', String(listener.address().port)], { stdio: 'inherit' });
  });
}

if (role === 'client') client();
else server();
