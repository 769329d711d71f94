'use strict';
// whyAlive() after attempts of autoSelectFamily that timed out: nothing of them is left.
const { snapshot, whyAlive } = require('rondo:lens');
const net = require('net');
const path = require('path');
const { spawn } = require('child_process');
const { once } = require('events');

const lookup = (host, options, callback) => {
  const found = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
  process.nextTick(callback, null, found);
};
const show = (title) => console.log(title, whyAlive().map(({ what, count }) => `${count} ${what.replace(/\d+/g, 'N')}`), snapshot().requests);

(async () => {
  const script = path.join(__dirname, '..', '..', 'node', 'net', 'fixtures', 'full_backlog.js');
  const full = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = Number(await once(full.stdout, 'data'));
  const fillers = [net.connect(port, '127.0.0.1'), net.connect(port, '127.0.0.1')];
  await Promise.all(fillers.map((socket) => once(socket, 'connect')));
  for (const socket of [full, full.stdout, ...fillers]) socket.unref();

  await new Promise(setImmediate);
  show('before');
  const closed = Array.from({ length: 10 }, (_, i) => new Promise((resolve) => {
    // Some fail in the second attempt, which is refused; the others are destroyed in the first.
    const socket = net.connect({ port, host: 'x', lookup, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: i % 2 ? 20 : 60_000 });
    socket.on('error', () => {});
    if (i % 2 === 0) socket.on('connectionAttempt', () => setImmediate(() => socket.destroy()));
    socket.on('close', resolve);
  }));
  await Promise.all(closed);
  await new Promise(setImmediate);
  show('after');
  full.kill('SIGKILL');
})();
