// rondo-test: no-file option=-e option={source}
const assert = require('assert');
try {
  assert(1 === 2, undefined);
} catch (error) {
  console.log(error.message);
}
assert.ok(typeof 123 === 'string')
