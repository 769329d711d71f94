// rondo-test: scratch
'use strict';
// process.report: what it says of each open handle.
const { spawn } = require('node:child_process');
const dgram = require('node:dgram');
const { once } = require('node:events');
const fs = require('node:fs');
const net = require('node:net');

const kOfInterest = ['fs_event', 'fs_poll', 'signal', 'udp', 'pipe', 'process', 'tcp'];
const ports = new Map();
const nameOf = (port) => ports.get(port) ?? 'other';

function show(endpoint) {
  if (typeof endpoint !== 'object' || endpoint === null) return endpoint;
  const { host, ip4, ip6, port } = endpoint;
  return `${process.report.excludeNetwork ? host : 'host'} ${ip4 ?? ip6} ${nameOf(port)}`;
}

function print() {
  const lines = [];
  for (const handle of process.report.getReport().libuv) {
    const { type, filename, pid, localEndpoint, remoteEndpoint, is_referenced: referenced, is_active: active } = handle;
    if (!kOfInterest.includes(type)) continue;
    const isStandard = type === 'pipe' && localEndpoint !== 'local' && remoteEndpoint !== 'local';
    if (isStandard) continue;
    const sizes = type === 'tcp' || type === 'udp' || type === 'pipe' ?
      [handle.sendBufferSize > 0, handle.recvBufferSize > 0, handle.fd > 2, handle.writeQueueSize, handle.writeQueueCount,
        handle.readable, handle.writable] : [];
    lines.push([type, active, referenced, filename, pid === child.pid ? 'child' : pid, handle.signum, handle.signal,
      show(localEndpoint), show(remoteEndpoint), ...sizes].join(' '));
  }
  console.log(lines.sort().join('\n'));
}

fs.writeFileSync('watched', '');
const watcher = fs.watch('watched');
fs.watchFile('watched', () => {}).unref();
process.on('SIGUSR2', () => {});
const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });

async function main() {
  const bound = dgram.createSocket('udp4');
  bound.bind(0, '127.0.0.1');
  await once(bound, 'listening');
  ports.set(bound.address().port, 'bound');
  const connected = dgram.createSocket('udp4').connect(bound.address().port, '127.0.0.1');
  await once(connected, 'connect');
  connected.unref();

  const servers = [];
  for (const where of [{ port: 0, host: '127.0.0.1' }, { port: 0, host: '::1' }, { path: 'local' }]) {
    const server = net.createServer().listen(where);
    await once(server, 'listening');
    const address = server.address();
    if (address.port) ports.set(address.port, `server${address.family}`);
    const client = net.connect(where.path ?? { port: address.port, host: where.host });
    const [socket] = await once(server, 'connection');
    servers.push({ server, client, socket });
  }
  for (const excludes of [false, true]) {
    process.report.excludeNetwork = excludes;
    print();
  }
  for (const { server, client, socket } of servers) {
    server.close();
    client.destroy();
    socket.destroy();
  }
  bound.close();
  connected.close();
  watcher.close();
  fs.unwatchFile('watched');
  child.stdin.end();
  await once(child, 'exit');
  process.removeAllListeners('SIGUSR2');
  print();
}

main();
