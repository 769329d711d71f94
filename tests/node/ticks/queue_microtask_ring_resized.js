// rondo-test: option=--expose-gc
// The engine's queue is a ring that grows, and that a collection of garbage makes smaller, also
// while it is being drained. Whatever its size: a callback comes after the promises before it.
let wrong = 0;

async function attempt(shift, fill, between) {
  const log = [];
  for (let i = 0; i < shift; i++) Promise.resolve().then(() => {});
  await new Promise(setImmediate);
  await new Promise((resolve) => {
    setImmediate(resolve);
    Promise.resolve().then(() => {
      for (let i = 0; i < fill; i++) Promise.resolve().then(() => {});
      Promise.resolve().then(() => {
        gc();
        for (let i = 0; i < between; i++) Promise.resolve().then(() => log.push('promise'));
        queueMicrotask(() => log.push('second'));
      });
      queueMicrotask(() => log.push('first'));
    });
  });
  if (log[0] !== 'first' || log[log.length - 1] !== 'second') wrong++;
}

(async () => {
  for (let i = 0; i < 250; i++) await attempt(i * 7 % 64, 33 + i * 5 % 29, 33 + i * 11 % 30);
  console.log('out of order:', wrong);
})();
