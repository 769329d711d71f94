// subscribe(): a call after each iteration of the loop, with what happened in it.
const { subscribe, snapshot } = require('rondo:lens');
const assert = require('assert');

const turns = [];
subscribe((turn) => {
  turns.push(turn);
  process.nextTick(() => {}); // what follows immediately takes no iteration
  Promise.resolve().then(() => {});
});
console.log(process.getActiveResourcesInfo());

setImmediate(() => {
  setImmediate(() => setTimeout(() => {
    const began = Date.now();
    while (Date.now() - began < 20);
  }, 1000));
  setImmediate(() => {});
});
process.on('exit', () => {
  // Iteration 1 is the first immediate, 2 the next two. The timer comes with a later one, after a sleep.
  console.log(turns.every(({ iteration }, i) => iteration === i + 1));
  const counts = (i) => Object.entries(turns[i].callbacks).filter(([, count]) => count > 0).join(' ');
  console.log(Object.keys(turns[0]).join(' '));
  console.log(counts(0), '|', counts(1));
  const sum = (pick) => turns.reduce((all, turn) => all + pick(turn), 0);
  console.log(sum(({ callbacks }) => callbacks.check), sum(({ callbacks }) => callbacks.timers),
    sum(({ callbacks }) => callbacks.prepare));
  assert(sum(({ idle }) => idle) > 0, 'it slept before the timer');
  for (const { duration, idle, times } of turns) {
    const busy = Object.values(times).reduce((a, b) => a + b);
    assert(busy >= 0 && idle >= 0 && busy + idle <= duration + 1, 'the parts are not more than the whole');
  }
  assert(turns.length <= snapshot().iterations + 1); // the last one has only timers
});
