// rondo-test: option=--test-reporter=./fixtures/names.mjs
// The order of events, with a reporter of one's own.
const { suite, test } = require('node:test');
test('a', async (t) => { await Promise.all([t.test('a1', () => {}), t.test('a2', () => {})]); });
suite('s', { concurrency: true }, () => {
  test('slow', () => new Promise((resolve) => { setTimeout(resolve, 20); }));
  test('fast', () => {});
});
test.skip('never', () => { throw new Error('called'); });
