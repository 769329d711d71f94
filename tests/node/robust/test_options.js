// rondo-test: option=--no-warnings option=--test-reporter=dot
'use strict';
// node:test in a program that adds properties to Object.prototype which are names of options.
for (const [key, value] of Object.entries({ skip: true, todo: true, only: true, plan: 3 })) {
  Object.defineProperty(Object.prototype, key, { value, configurable: true, enumerable: true, writable: true });
}
const { before, describe, it, test } = require('node:test');

const ran = [];
before(() => { ran.push('before'); });
test('without options', () => { ran.push('test'); });
test('with options', { concurrency: true }, () => { ran.push('options'); });
describe('suite', () => {
  it('inside', () => { ran.push('inside'); });
});
process.on('exit', () => {
  for (const key of ['skip', 'todo', 'only', 'plan']) delete Object.prototype[key];
  console.log(ran.join());
});
