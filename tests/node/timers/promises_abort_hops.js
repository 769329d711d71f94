// How many turns of the microtask queue an abort takes to arrive.
const timers = require('timers/promises');

function count(name, promise) {
  let turns = 0;
  let isDone = false;
  const done = () => {
    isDone = true;
    console.log(name, turns);
  };
  promise.then(done, done);
  (function turn() {
    if (isDone || turns > 50) return;
    turns++;
    Promise.resolve().then(turn);
  })();
}

for (const [name, start] of [
  ['setTimeout', (options) => timers.setTimeout(1000, 0, options)],
  ['setImmediate', (options) => timers.setImmediate(0, options)],
  ['setInterval', (options) => timers.setInterval(1000, 0, options).next()],
]) {
  count(`${name}, aborted before`, start({ signal: AbortSignal.abort() }));
  const controller = new AbortController();
  const promise = start({ signal: controller.signal });
  controller.abort();
  count(`${name}, aborted after`, promise);
}
