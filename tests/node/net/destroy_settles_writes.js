'use strict';
// Recorded with Node 26: Node 20 calls the callback of the write that is under way with null.
// A stream that is destroyed settles each write() and end(): ECANCELED for the one that the kernel has, and for those
// behind it the error that the stream was destroyed with.
const net = require('net');
const os = require('os');
const path = require('path');
const { spawn } = require('child_process');

const big = Buffer.alloc(20 << 20);
const words = (error) => (error ? `${error.code} ${error.message}` : error);

function watch(stream, log) {
  stream.on('error', (error) => log('error', words(error)));
  stream.on('finish', () => log('finish'));
  stream.write(big, (error) => log('first write', words(error)));
  stream.write('x', (error) => log('second write', words(error)));
  stream.cork();
  stream.write('y', (error) => log('corked write', words(error)));
  stream.end('z', (error) => log('end', words(error)));
}

const ways = {
  destroy: (stream) => stream.destroy(),
  error: (stream) => stream.destroy(new Error('own')),
  soon: (stream) => stream.destroySoon() ?? stream.destroy(),
};

function viaSocket(kind, way) {
  return new Promise((resolve) => {
    const log = (...args) => console.log(kind, way, ...args);
    const server = net.createServer((socket) => socket.pause().on('error', () => {}).on('close', () => server.close()));
    const where = kind === 'unix' ? path.join(os.tmpdir(), `rondo-destroy-${process.pid}-${way}`) : 0;
    server.on('close', resolve);
    server.listen(where, () => {
      const client = net.connect(where || server.address().port);
      client.on('connect', () => {
        watch(client, log);
        client.on('close', (hadError) => {
          log('close', hadError);
          setImmediate(() => server.getConnections(() => process.nextTick(() => accepted.destroy())));
        });
        setImmediate(() => {
          ways[way](client);
          process.nextTick(() => log('tick'));
          setImmediate(() => log('immediate'));
        });
      });
    });
    let accepted;
    server.on('connection', (socket) => { accepted = socket; });
  });
}

function viaChild(way) {
  return new Promise((resolve) => {
    const log = (...args) => console.log('stdin', way, ...args);
    const child = spawn('sleep', ['1000'], { stdio: ['pipe', 'ignore', 'ignore'] });
    child.on('spawn', () => {
      watch(child.stdin, log);
      child.stdin.on('close', (hadError) => {
        log('close', hadError);
        child.kill();
      });
      setImmediate(() => ways[way](child.stdin));
    });
    child.on('close', resolve);
  });
}

(async () => {
  for (const way of ['destroy', 'error', 'soon']) {
    await viaSocket('tcp', way);
    await viaSocket('unix', way);
    await viaChild(way);
  }
})();
