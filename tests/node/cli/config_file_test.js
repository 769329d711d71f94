// rondo-test: scratch
'use strict';
// --experimental-config-file with tests: what it says is for the processes of the files too.
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');

fs.writeFileSync('preload.js', 'globalThis.preloaded = true;\n');
fs.writeFileSync('a.test.js', `const { test } = require('node:test');
test('first', () => { console.log(globalThis.preloaded, process.execArgv.includes('--test'), typeof globalThis.gc); });
test('second', (t) => new Promise((resolve) => { setTimeout(resolve, 60_000).unref(); t.signal.addEventListener('abort', resolve); }));
test.only('third', () => { throw new Error('third'); });
`);
for (const [config, ...args] of [
  [{ test: { 'test-timeout': 500 } }],
  [{ test: { 'test-name-pattern': ['first', 'third'] }, nodeOptions: { require: ['./preload.js'] } }, '--expose-gc'],
  [{ test: { 'test-only': true } }, '--test'],
  [{ nodeOptions: { 'require': './preload.js', 'experimental-strip-types': false } }, '--test', '--test-name-pattern=first'],
]) {
  fs.writeFileSync('node.config.json', JSON.stringify(config));
  const { status, stdout, stderr } = spawnSync(process.execPath,
    ['--no-warnings', '--experimental-default-config-file', '--test-reporter=tap', ...args], { encoding: 'utf8' });
  console.log(JSON.stringify(config), status, stderr.replace(/^.*\/(rondo|node): /gm, 'node: '));
  console.log(stdout.split('\n').filter((line) => !/duration_ms|node:internal|^ +at|^ {4,}[A-Z]/.test(line)).join('\n').replaceAll(process.cwd(), '.'));
}
