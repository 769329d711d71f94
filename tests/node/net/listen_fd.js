'use strict';
// Socket activation: a server on a descriptor that another process has bound.
const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');
const { spawn } = require('child_process');

function give(where) {
  return new Promise((resolve) => {
    const server = net.createServer().listen(where, () => {
      const child = spawn(process.execPath, [path.join(__dirname, 'fixtures', 'activated.js')],
        { stdio: ['ignore', 'inherit', 'inherit', server._handle.fd] });
      child.on('spawn', () => server.close());
      child.on('exit', (code) => {
        console.log('exit', code);
        resolve();
      });
    });
  });
}

function refuse(name, fd) {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.on('error', (error) => {
      console.log(name, error.message, Object.keys(error).join(), server.listening);
      resolve();
    });
    server.listen({ fd }, () => console.log(name, 'listens'));
  });
}

(async () => {
  await give({ port: 0, host: '127.0.0.1' });
  await refuse('file', fs.openSync(__filename));
  await refuse('closed', 999);
  await refuse('too large', 2 ** 31);
  await refuse('fraction', 1.5);
  for (const fd of [-1, NaN, '3', null]) {
    try {
      net.createServer().listen({ fd });
    } catch (error) {
      console.log(error.code);
    }
  }
})();
