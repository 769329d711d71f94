// How many microtasks `yield*` takes in an async generator: one for each value, none for the yield itself. (V8 before 11 waited once more
// for each, which shows in the order of Readable.flatMap() and pipeline().)
'use strict';

const iterable = {
  [Symbol.asyncIterator]() {
    let count = 0;
    return {
      next: () => Promise.resolve({ value: ++count, done: count > 2 }),
      return: () => Promise.resolve({}),
    };
  },
};
async function* inner() {
  yield 1;
  yield 2;
}
async function* outer(inside) {
  yield* inside;
}

async function show(name, inside) {
  let ticks = 0;
  let isDone = false;
  (async () => {
    while (!isDone) {
      await null;
      ticks++;
    }
  })();
  const found = [];
  const generator = outer(inside());
  for (;;) {
    const { value, done } = await generator.next();
    found.push(`${value} after ${ticks}`);
    if (done) break;
  }
  const left = outer(inside());
  await left.next();
  const before = ticks;
  await left.return(5);
  isDone = true;
  console.log(`${name}: ${found.join(', ')}; return() after ${ticks - before}`);
}

(async () => {
  await show('generator', inner);
  await show('iterable', () => iterable);
  await show('array', () => [1, 2]);
})();
