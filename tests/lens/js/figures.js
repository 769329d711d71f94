// snapshot() and metrics(): what the loop has done, and what waits in it.
const { metrics, snapshot } = require('rondo:lens');
const fs = require('fs');
const assert = require('assert');

const atStart = snapshot();
console.log(Object.keys(atStart).join(' '));
console.log(Object.keys(atStart.phases).join(' '));
console.log(Object.keys(metrics()).join(' '));
assert(Object.values(metrics()).every((number) => number === 0));
console.log(atStart.phase, atStart.iterations, atStart.requests.length);

process.nextTick(() => {});
process.nextTick(() => {});
clearImmediate(setImmediate(() => {}));
setImmediate(() => {
  const now = snapshot();
  console.log(now.phase, now.iterations, now.phases.check.callbacks, now.waiting.check);
});
setImmediate(() => console.log('second', snapshot().phases.check.callbacks, snapshot().waiting.check));
setTimeout(() => {
  const now = snapshot();
  console.log(now.phase, now.phases.timers.callbacks, now.phases.check.callbacks);
  assert(now.idle > 0 && now.time >= 1000 && now.phases.check.time > 0);
  assert.strictEqual(metrics().check_callbacks, 2);
  assert(metrics().asleep_ms >= now.idle);
  fs.stat(__filename, () => console.log(snapshot().phase, snapshot().phases.poll.callbacks));
}, 1000);
console.log(JSON.stringify(snapshot().waiting));
