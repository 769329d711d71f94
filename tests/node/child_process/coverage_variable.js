// rondo-test: scratch
'use strict';
// NODE_V8_COVERAGE reaches children whose variables the program chooses, unless it names it.
const { execFileSync, spawn, spawnSync } = require('node:child_process');
const path = require('node:path');

const folder = path.join(process.cwd(), 'coverage');
const args = ['-p', "process.env.NODE_V8_COVERAGE ? require('path').basename(process.env.NODE_V8_COVERAGE) : `none ${Object.keys(process.env).includes('NODE_V8_COVERAGE')}`"];
const show = (label, text) => console.log(label, String(text).trim());

process.env.NODE_V8_COVERAGE = folder;
const { PATH } = process.env;
show('all', execFileSync(process.execPath, args));
show('some', spawnSync(process.execPath, args, { env: { PATH } }).stdout);
show('without prototype', spawnSync(process.execPath, args, { env: { __proto__: null, PATH } }).stdout);
show('empty', spawnSync(process.execPath, args, { env: { PATH, NODE_V8_COVERAGE: '' } }).stdout);
show('undefined', spawnSync(process.execPath, args, { env: { PATH, NODE_V8_COVERAGE: undefined } }).stdout);
show('other', spawnSync(process.execPath, args, { env: { PATH, NODE_V8_COVERAGE: path.join(process.cwd(), 'other') } }).stdout);
spawn(process.execPath, args, { env: { PATH } }).stdout.on('data', (data) => {
  show('spawn', data);
  delete process.env.NODE_V8_COVERAGE;
  show('deleted', spawnSync(process.execPath, args, { env: { PATH } }).stdout);
});
