'use strict';
// What waits in the queues of JavaScript, as the live page of --lens shows it.

const { test } = require('node:test');
const assert = require('node:assert');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

async function start(t, script) {
  const child = spawn(process.execPath, ['--lens', '-e', script], { stdio: ['ignore', 'ignore', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  const address = await new Promise((resolve) => {
    child.stderr.once('data', (chunk) => resolve(/http:\S+/.exec(String(chunk))[0]));
  });
  return address.replace('/?', '/snapshot.json?');
}

async function depthsAt(address) {
  const { host, port, hostname, pathname, search } = new URL(address);
  return new Promise((resolve, reject) => {
    let text = '';
    net.connect(Number(port), hostname).setEncoding('utf8').on('error', reject)
      .on('data', (chunk) => { text += chunk; })
      .on('end', () => resolve(JSON.parse(text.slice(text.indexOf('\r\n\r\n'))).depth))
      .write(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  });
}

// Looks until it is so: what it sees before may be from the middle of the preparations.
async function until(address, wanted) {
  const end = Date.now() + 60000;
  for (;;) {
    const { ticks, immediates } = await depthsAt(address);
    if (ticks === wanted.ticks && immediates === wanted.immediates) return;
    if (Date.now() > end) assert.deepStrictEqual({ ticks, immediates }, wanted);
  }
}

test('while a callback holds the loop up', async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-depths-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'go-on');
  const address = await start(t, `
    const fs = require('node:fs');
    setInterval(() => {}, 10);
    setTimeout(() => {
      for (let i = 0; i < 1000; i++) setImmediate(() => {});
      for (let i = 0; i < 9000; i++) process.nextTick(() => {});
      while (!fs.existsSync(${JSON.stringify(file)}));
    }, 1);`);
  await until(address, { ticks: 9000, immediates: 1000 });
  fs.writeFileSync(file, '');
  await until(address, { ticks: 0, immediates: 0 });
});

test('while a tick does', async (t) => {
  const address = await start(t, `
    setTimeout(() => {
      for (let i = 0; i < 70; i++) process.nextTick(() => { if (i === 19) for (;;); });
    }, 1);`);
  await until(address, { ticks: 50, immediates: 0 });
});

test('while immediates follow one another', async (t) => {
  const address = await start(t, `
    function again() { setImmediate(again); }
    for (let i = 0; i < 100; i++) again();`);
  await until(address, { ticks: 0, immediates: 100 });
});
