'use strict';
// Reports do not block a program whose standard error is a pipe that is full.

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-unread-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

// The pipe has a reader, which never reads: the program itself, without knowing of it.
function run(option, source) {
  const script = path.join(folder, 'program.js');
  fs.writeFileSync(script, source);
  const fifo = path.join(folder, 'fifo');
  fs.rmSync(fifo, { force: true });
  const command = 'mkfifo "$1" && exec 3<>"$1" && exec "$0" "$2" "$3" 2>&3';
  return spawnSync('sh', ['-c', command, process.execPath, fifo, option, script], { timeout: 60_000, encoding: 'utf8' });
}

test('--why-alive', () => {
  const { status, stdout } = run('--why-alive=100ms', `
    for (let i = 0; i < 3000; i++) setTimeout(() => {}, 500);
    setTimeout(() => console.log('done'), 400);`);
  assert.deepStrictEqual([status, stdout], [0, 'done\n']);
});

test('--blocked', () => {
  const { status, stdout } = run('--blocked=1', `
    let n = 0;
    (function go() {
      const begin = Date.now();
      while (Date.now() - begin < 3);
      if (++n < 600) setTimeout(go, 0);
      else console.log('done');
    })();`);
  assert.deepStrictEqual([status, stdout], [0, 'done\n']);
});
