const { promisify } = require('util');
const f = promisify(function(a, b, callback) { setImmediate(callback, a ? null : new Error('no a'), this.x + a + b); });
f.call({ x: 1 }, 2, 3).then(console.log);
f.call({}, 0, 0).catch((e) => console.log(e.message));
const custom = () => {};
custom[promisify.custom] = () => Promise.resolve('custom');
promisify(custom)().then(console.log);
for (const bad of [1, undefined]) {
  try {
    promisify(bad);
  } catch (e) {
    console.log(e.code, e.message);
  }
}
console.log(f.length, promisify(function named(a, b, cb) {}).name);
