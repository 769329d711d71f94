// A listener can be removed, also during a call; it does not keep the loop alive; what it throws is uncaught.
const { subscribe } = require('rondo:lens');

for (const wrong of [undefined, null, 'text', {}]) {
  try {
    subscribe(wrong);
  } catch ({ code, name }) {
    console.log(name, code);
  }
}

let first = 0;
const stop = subscribe(() => {
  if (++first === 2) stop();
});
let second = 0;
const stopSecond = subscribe(() => {
  if (++second === 1) throw new Error('of a listener');
});
process.on('uncaughtException', ({ message }) => console.log('uncaught:', message));

let left = 6;
setImmediate(function again() {
  if (--left > 0) setImmediate(again);
  else setImmediate(stopSecond);
});
process.on('exit', () => {
  stop(); // a second time does nothing
  stopSecond();
  console.log(first, second >= 4);
});
