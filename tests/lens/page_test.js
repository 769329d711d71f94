'use strict';
// `rondo --lens`, asked for its figures as a browser and as Prometheus would.

const assert = require('node:assert');
const { spawn } = require('node:child_process');
const net = require('node:net');
const test = require('node:test');

// Runs `source` with --lens, and calls `look(get)` when it has printed something; get(path) gives the body of an answer.
// Gives the exit code, when the standard input has ended.
async function run(source, look, ...options) {
  const child = spawn(process.execPath, ['--lens', ...options, '-e', source]);
  const texts = { stdout: '', stderr: '' };
  const ended = new Promise((resolve) => { child.on('close', (status, signal) => resolve(signal ?? status)); });
  await new Promise((resolve) => {
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (text) => {
        texts[name] += text;
        if (texts.stdout !== '' && texts.stderr.endsWith('\n')) resolve();
      });
    }
    ended.then(resolve);
  });
  // It ends with its input, whatever is found out.
  try {
    await lookAt(texts, look);
  } finally {
    child.stdin.end();
  }
  return ended;
}

async function lookAt(texts, look) {
  const found = /^rondo: the lens is at http:\/\/127\.0\.0\.1:([0-9]+)\/\?token=([0-9a-f]+)\n$/.exec(texts.stderr);
  assert.notStrictEqual(found, null, texts.stderr);
  await look((path) => get(Number(found[1]), `${path}?token=${found[2]}`));
}

function get(port, path) {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = net.connect(port, '127.0.0.1').setEncoding('utf8');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
    socket.on('data', (text) => { answer += text; });
    socket.on('end', () => resolve(answer.slice(answer.indexOf('\r\n\r\n') + 4)));
    socket.on('error', reject);
  });
}

test('callbacks are counted by what calls them', async () => {
  const status = await run(`
    const fs = require('fs');
    const net = require('net');
    const steps = [
      (next) => { let left = 10; const interval = setInterval(() => { if (--left === 0) { clearInterval(interval); next(); } }, 1); },
      (next) => { for (let i = 0; i < 20; i++) setTimeout(() => {}, 1); setTimeout(next, 1); },
      (next) => { for (let i = 0; i < 50; i++) setImmediate(() => {}); setImmediate(next); },
      (next) => { for (let i = 0; i < 3000; i++) process.nextTick(() => {}); process.nextTick(next); },
      async (next) => { for (let i = 0; i < 5000; i++) await null; next(); },
      (next) => { fs.stat('.', () => fs.promises.stat('.').then(next)); },
      (next) => { require('dns').lookup('127.0.0.1', () => {}); require('dns').lookup('localhost', next); },
      (next) => {
        const server = net.createServer((socket) => socket.end('x')).listen(0, '127.0.0.1', () => {
          net.connect(server.address().port, '127.0.0.1').on('close', () => server.close(next)).resume();
        });
      },
      (next) => { require('child_process').exec('exit 1', () => next()); },
      (next) => { process.stdin.resume(); process.once('SIGUSR1', () => next()); process.kill(process.pid, 'SIGUSR1'); },
      () => console.log('done'),
    ];
    (function run() { steps.shift()(run); })();
  `, async (look) => {
    const { sources, phases } = JSON.parse(await look('/snapshot.json'));
    const exact = { main: 1, interval: 10, timeout: 21, immediate: 51, server: 1, process: 1, signal: 1 };
    for (const [name, count] of Object.entries(exact)) assert.strictEqual(sources[name], count, name);
    assert.ok(sources.tick > 3000 && sources.tick < 3500, `${sources.tick} ticks`);
    assert.ok(sources.microtask >= 5000 && sources.microtask < 5500, `${sources.microtask} microtasks`);
    assert.ok(sources.file >= 2, `${sources.file} of files`);
    assert.ok(sources.lookup >= 1, `${sources.lookup} of lookups`);
    assert.ok(sources.socket >= 3, `${sources.socket} of sockets`);
    assert.ok(sources.close >= 3, `${sources.close} 'close'`);
    // In the phases there are neither ticks nor microtasks.
    assert.strictEqual(phases.timers.callbacks, 31);
    assert.ok(phases.check.callbacks >= 51 && phases.check.callbacks < 3000);
    const metrics = await look('/metrics');
    assert.match(metrics, /^rondo_callbacks_by_source_total\{source="immediate"\} 51$/m);
    assert.match(metrics, /^rondo_callbacks_total\{phase="timers"\} 31$/m);
  });
  assert.strictEqual(status, 0);
});

// With a trace the lens learns of each tick, microtask and promise.
for (const options of [[], ['--trace-loop=/dev/null']]) {
  test(`ticks, microtasks and promises are no callbacks of the loop ${options}`, async () => {
    const status = await run(`
      class Task extends require('async_hooks').AsyncResource {}
      const task = new Task('task');
      setImmediate(() => {
        for (let i = 0; i < 100; i++) {
          queueMicrotask(() => task.runInAsyncScope(() => {}));
          process.nextTick(() => {});
          process.nextTick((argument) => {}, i);
          queueMicrotask(() => {});
          Promise.resolve().then(() => {});
        }
        setImmediate(() => { console.log('done'); process.stdin.resume(); });
      });
    `, async (look) => {
      const { durations, phases, sources } = JSON.parse(await look('/snapshot.json'));
      assert.strictEqual(phases.check.callbacks, 2);
      assert.strictEqual(sources.immediate, 2);
      assert.strictEqual(sources.other, 0);
      // The second one may still run.
      assert.ok(durations.callbacks >= 1 && durations.callbacks < 10, JSON.stringify(durations));
      assert.ok(durations.p50 > 0 && durations.p50 <= durations.p99 && durations.p99 <= durations.max, JSON.stringify(durations));
    }, ...options);
    assert.strictEqual(status, 0);
  });
}

test('a function of the engine that takes its time', async () => {
  const status = await run(`
    const cell = new Int32Array(new SharedArrayBuffer(4));
    setImmediate(Atomics.wait, cell, 0, 0, 60);
    setImmediate(Atomics.wait.bind(Atomics, cell), 0, 0, 60);
    setImmediate(() => { console.log('done'); process.stdin.resume(); });
  `, async (look) => {
    const { lists, blocked } = JSON.parse(await look('/snapshot.json'));
    assert.ok(blocked >= 2);
    assert.ok(lists.slowest.some(({ label, file }) => label === 'immediate' && file === ''), JSON.stringify(lists.slowest));
  });
  assert.strictEqual(status, 0);
});

test('the slowest callbacks say which request they serve', async () => {
  const status = await run(`
    const fs = require('fs');
    const http = require('http');
    const busy = (ms) => { for (const end = Date.now() + ms; Date.now() < end;); };
    const server = http.createServer((request, response) => {
      busy(20);
      fs.stat('.', () => setTimeout(function late() {
        busy(60);
        response.end();
      }, 1));
    });
    server.listen(0, '127.0.0.1', () => {
      http.get({ port: server.address().port, host: '127.0.0.1', path: '/slow?id=1', agent: false }, (response) => {
        response.resume().on('end', () => {
          server.close();
          console.log('answered');
        });
      });
    });
    process.stdin.resume();`, async (look) => {
    const { lists } = JSON.parse(await look('/snapshot.json'));
    const labels = lists.slowest.map(({ label }) => label);
    assert.ok(labels.includes('setTimeout 1 ms (for GET /slow?id=1)'), labels.join());
    assert.ok(labels.includes("'request' of GET /slow?id=1"), labels.join());
  });
  assert.strictEqual(status, 0);
});
