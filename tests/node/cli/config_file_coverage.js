// rondo-test: scratch
'use strict';
// Options of coverage in a configuration file.
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');

fs.writeFileSync('lib.js', 'exports.f = (x) => {\n  return x ? 1 : 2;\n};\nexports.g = () => {\n  return 3;\n};\n');
fs.writeFileSync('other.js', 'exports.h = () => 1;\n');
fs.writeFileSync('a.test.js', "require('node:test')('a', () => { require('./lib.js').f(1); });\n");
for (const options of [
  {},
  { 'test-coverage-lines': 100, 'test-coverage-exclude': ['other.js', '*.test.js'] },
  { 'test-coverage-include': 'other.js', 'test-coverage-include-all': true },
  { 'test-coverage-functions': 10, 'test-coverage-branches': 1 },
  { 'test-coverage-functions': 'many' },
]) {
  fs.writeFileSync('config.json', JSON.stringify({ test: { 'experimental-test-coverage': true, 'test-reporter': 'tap', ...options } }));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', '--experimental-config-file=config.json'], { encoding: 'utf8' });
  console.log(JSON.stringify(options), status, stderr.replace(/^.*\/(rondo|node): /gm, 'node: '));
  console.log(stdout.split('\n').filter((line) => /threshold|\|/.test(line)).join('\n'));
}
