'use strict';
// A socket that is destroyed while it connects leaves no request behind.
const net = require('net');
const os = require('os');
const path = require('path');

const requests = () => process.getActiveResourcesInfo().filter((name) => /ConnectWrap|ConnectReq|WriteWrap|Shutdown/.test(name)).length;

function round(where) {
  return new Promise((resolve) => {
    let open = 200;
    for (let i = 0; i < 200; i++) {
      const socket = net.connect(where);
      socket.on('error', (error) => console.log('error', error.code));
      socket.on('close', () => {
        if (--open === 0) setImmediate(resolve);
      });
      if (i % 3 === 0) socket.write('x', () => {});
      if (i % 3 === 0) socket.destroy();
      else if (i % 3 === 1) process.nextTick(() => socket.destroy());
      else process.nextTick(() => process.nextTick(() => socket.destroy()));
    }
  });
}

const server = net.createServer((socket) => socket.on('error', () => {}).resume());
server.listen(0, '127.0.0.1', async () => {
  await round({ port: server.address().port, host: '127.0.0.1' });
  console.log('tcp', requests());
  server.close();
  const local = net.createServer((socket) => socket.on('error', () => {}).resume());
  const where = path.join(os.tmpdir(), `rondo-connecting-${process.pid}`);
  local.listen(where, async () => {
    await round({ path: where });
    console.log('unix', requests());
    local.close();
  });
});
