const assert = require('assert');
const value = { a: 0 };
try {
  assert.ok(value.a === 1);
} catch (e) {
  console.log(e.message);
}
try {
  assert(typeof 123 === 'string' &&
    value);
} catch (e) {
  console.log(e.message);
}
try {
  assert();
} catch (e) {
  console.log(e.message);
}
