// rondo-test: scratch
'use strict';
// --experimental-test-coverage: the table, what comments ignore, patterns, goals, and the files of NODE_V8_COVERAGE.
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');

fs.mkdirSync('src/deep', { recursive: true });
fs.mkdirSync('node_modules/package', { recursive: true });
fs.writeFileSync('node_modules/package/index.js', 'module.exports = () => 1;\n');
fs.writeFileSync('src/sum.js', `'use strict';
exports.sum = function sum(a, b) {
  if (a === undefined) {
    return b;
  }
  return b === undefined ? a : a + b;
};
exports.never = function never() {
  return 1;
};
/* node:coverage ignore next 3 */
exports.ignored = function ignored() {
  return 2;
};
/* node:coverage disable */
exports.disabled = () => {
  return 3;
};
/* node:coverage enable */
class Shape {
  area() { return 0; }

  get name() {
    return 'shape';
  }
}
exports.area = () => new Shape().area();
`);
fs.writeFileSync('src/deep/a_module_with_a_name_that_is_long.mjs', `export const twice = (x) => x * 2;
export function thrice(x) {
  return x * 3;
}
export default async () => {
  for (const each of []) {
    console.log(each);
  }
};
`);
fs.writeFileSync('one.test.js', `const { test } = require('node:test');
const { area, sum } = require('./src/sum.js');
require('package')();
test('one', async () => {
  sum(1, 2);
  const { default: run, twice } = await import('./src/deep/a_module_with_a_name_that_is_long.mjs');
  twice(2);
  await run();
});
`);
fs.writeFileSync('two.test.js', `const { test } = require('node:test');
const { area, sum } = require('./src/sum.js');
test('two', () => {
  sum(1);
  area();
});
`);
fs.writeFileSync('untested.js', 'function f() {\n  return 1;\n}\nf();\n');

function run(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
  const begin = stdout.indexOf('# start of coverage');
  console.log(args.join(' '), status, stderr);
  console.log(stdout.split('\n').filter((line) => /Warning|threshold/.test(line)).join('\n'));
  console.log(begin === -1 ? stdout.slice(stdout.indexOf('start of coverage')) : stdout.slice(begin));
}

const tap = ['--experimental-test-coverage', '--test-reporter=tap'];
run('--test', ...tap);
run(...tap, 'two.test.js');
run('--test', ...tap, '--test-isolation=none');
run('--test', '--experimental-test-coverage', '--test-reporter=spec', 'two.test.js');
run('--test', ...tap, '--test-coverage-include=src/*.js', '--test-coverage-include-all');
run('--test', ...tap, '--test-coverage-exclude=src/**', '--test-coverage-include-all');
run('--test', ...tap, '--test-coverage-lines=90', '--test-coverage-branches=10', '--test-coverage-functions=100', 'two.test.js');
run('--test', '--experimental-test-coverage', '--test-reporter=dot', '--test-coverage-lines=99', 'two.test.js');
for (const bad of ['--test-coverage-lines=101', '--test-coverage-branches=-1']) {
  const { status, stderr } = spawnSync(process.execPath, ['--test', ...tap, bad], { encoding: 'utf8' });
  console.log(bad, status !== 0, /ERR_OUT_OF_RANGE/.test(stderr));
}
console.log(spawnSync(process.execPath, ['--test', '--experimental-test-coverage', '--test-reporter=lcov', 'two.test.js'], { encoding: 'utf8' }).stdout);

const { status } = spawnSync(process.execPath, ['--test', ...tap], { env: { ...process.env, NODE_V8_COVERAGE: 'counts' } });
console.log(status, fs.readdirSync('counts').every((name) => /^coverage-\d+-\d+-0\.json$/.test(name)), fs.readdirSync('counts').length);
