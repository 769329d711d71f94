'use strict';
// Attempts of autoSelectFamily that time out leave nothing behind: no request, no handle, no timer.
const net = require('net');
const path = require('path');
const { spawn } = require('child_process');
const { once } = require('events');

const answer = (...addresses) => (host, options, callback) => {
  process.nextTick(callback, null, addresses.map((address) => ({ address, family: 4 })));
};

const counted = () => {
  const counts = {};
  for (const name of process.getActiveResourcesInfo()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};

// What is there now and was not before, or the other way round.
function difference(before) {
  const after = counted();
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]).map((name) => `${name} ${before[name]} -> ${after[name]}`);
}

async function attempt(name, port, addresses, prepare = () => {}, autoSelectFamilyAttemptTimeout = 30) {
  await new Promise(setImmediate);
  const before = counted();
  const events = [];
  const sockets = Array.from({ length: 20 }, () => {
    const socket = net.connect({
      port, host: 'x', lookup: answer(...addresses), autoSelectFamily: true, autoSelectFamilyAttemptTimeout,
    });
    const seen = [];
    events.push(seen);
    for (const event of ['connectionAttempt', 'connectionAttemptTimeout', 'connectionAttemptFailed']) {
      socket.on(event, (address, number, family, error) => seen.push(`${event} ${address} ${error?.code}`));
    }
    socket.on('connect', () => {
      seen.push('connect');
      socket.end();
    });
    socket.on('error', (error) => seen.push(`error ${error.code} ${error.errors?.map(({ code }) => code)}`));
    socket.resume();
    prepare(socket);
    return new Promise((resolve) => { socket.on('close', resolve); }).then(() => seen.push('close'));
  });
  await Promise.all(sockets);
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  console.log(name, new Set(events.map((seen) => seen.join('\n  '))).size);
  console.log(`  ${events[0].join('\n  ')}`);
  console.log('  left:', difference(before));
}

// Handles that would be opened between two counts.
void [process.stdout, process.stderr];

(async () => {
  const full = spawn(process.execPath, [path.join(__dirname, 'fixtures', 'full_backlog.js')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = Number(await once(full.stdout, 'data'));
  // They fill the backlog.
  const fillers = [net.connect(port, '127.0.0.1'), net.connect(port, '127.0.0.1')];
  await Promise.all(fillers.map((socket) => once(socket, 'connect')));

  const server = net.createServer((socket) => socket.end().resume()).listen(port, '127.0.0.2');
  await once(server, 'listening');
  await attempt('the last connects', port, ['127.0.0.1', '127.0.0.2']);
  // Of an address that comes twice, one is tried.
  await attempt('twice', port, ['127.0.0.2', '127.0.0.2']);
  await attempt('twice, apart', port, ['127.0.0.1', '127.0.0.2', '127.0.0.1', '127.0.0.2']);
  server.close();
  await once(server, 'close');
  await attempt('the last is refused', port, ['127.0.0.1', '127.0.0.2']);
  await attempt('destroyed in the first', port, ['127.0.0.1', '127.0.0.2'],
    (socket) => socket.once('connectionAttempt', () => setImmediate(() => socket.destroy())), 60_000);
  await attempt('destroyed in the last', port, ['127.0.0.1', '127.0.0.2'],
    (socket) => socket.once('connectionAttemptTimeout', () => setImmediate(() => socket.destroy())));
  await attempt('destroyed by the event', port, ['127.0.0.1', '127.0.0.2'],
    (socket) => socket.once('connectionAttemptTimeout', () => socket.destroy()));

  for (const socket of fillers) socket.on('error', () => {}).destroy();
  full.kill('SIGKILL');
})();
