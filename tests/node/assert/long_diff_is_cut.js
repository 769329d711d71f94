const assert = require('assert');
try {
  const list = Array.from({ length: 60 }, (_, i) => i);
  assert.deepStrictEqual(list, list.map((x) => (x === 30 ? 'thirty' : x)));
} catch (e) {
  console.log(e.message);
}
