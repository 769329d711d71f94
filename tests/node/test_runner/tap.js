// rondo-test: option=--test-reporter=tap
// The events of tests, as TAP. Times are left out.
const { test, describe, it, before, after, beforeEach, afterEach } = require('node:test');
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (text, ...more) =>
  write(String(text).replace(/duration_ms:? [\d.]+/g, 'duration_ms *').replace(/ {2}stack: \|-\n(?: {4,}.*\n)+/g, ''), ...more);

test('passes', (t) => { t.diagnostic('a note'); });
test('fails', () => { throw new TypeError('oh'); });
test('holds others', async (t) => {
  await t.test('first', () => {});
  await t.test('second', { skip: 'not now' }, () => {});
  await t.test('third # \\', { todo: true }, () => { throw new Error('later'); });
});
describe('a suite', () => {
  const order = [];
  before(() => order.push('before'));
  beforeEach(() => order.push('beforeEach'));
  afterEach(() => order.push('afterEach'));
  after(() => console.log(order.join(' ')));
  it('one', () => order.push('one'));
  it('two', (t, done) => { order.push('two'); setImmediate(done); });
});
test('plan', (t) => {
  t.plan(2);
  t.assert.ok(true);
});
test('expected', { expectFailure: /oh/ }, () => { throw new Error('oh'); });
test('callback twice', (t, done) => { done(); setImmediate(() => { try { done(); } catch {} }); });
