'use strict';
// `rondo --trace-loop`: an operation that has failed shows its error.

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-trace-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

test('the code is in the name and in the arguments', () => {
  const file = path.join(folder, 'trace.json');
  const source = `
    const fs = require('fs');
    fs.open('nope', () => {});
    fs.stat('.', () => {});
    require('net').connect('/nope').on('error', () => {});`;
  const { status } = spawnSync(process.execPath, [`--trace-loop=${file}`, '-e', source], { cwd: folder });
  assert.strictEqual(status, 0);
  const events = JSON.parse(fs.readFileSync(file, 'utf8')).traceEvents ?? JSON.parse(fs.readFileSync(file, 'utf8'));
  const errorOf = (name) => events.find((event) => event.name === name)?.args.error;
  assert.strictEqual(errorOf('open nope: ENOENT'), 'ENOENT');
  assert.strictEqual(errorOf('connect to /nope: ENOENT'), 'ENOENT');
  const fine = events.filter((event) => event.ph === 'X' && /^stat /.test(event.name));
  assert.deepStrictEqual(fine.map((event) => event.args.error), [undefined]);
});
