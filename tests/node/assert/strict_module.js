const assert = require('assert').strict;
console.log(assert === require('assert/strict'), assert.strict === assert, assert.equal === assert.strictEqual, assert.deepEqual === assert.deepStrictEqual);
const { AssertionError } = assert;
const e = new AssertionError({ actual: 1, expected: 2, operator: 'strictEqual' });
console.log(e.message, e.generatedMessage, Object.keys(e), e instanceof Error);
