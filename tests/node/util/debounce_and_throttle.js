'use strict';
// util.debounce() and util.throttle(): which calls run, with which arguments, and what becomes of the others.
const { debounce, throttle } = require('node:util');
const { setTimeout: sleep } = require('node:timers/promises');

const settle = (promises) => Promise.allSettled(promises).then((results) =>
  results.map(({ status, value, reason }) => (status === 'fulfilled' ? value : `${reason.name} ${reason.code} ${reason.message} ${reason.cause}`)));

function refuse(make) {
  try {
    make();
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}

async function debounced() {
  const calls = [];
  function original(a, b) {
    calls.push([a, b]);
    if (a === 'throw') throw new Error('thrown');
    return `${a}${b}`;
  }
  const limited = debounce(original, 30);
  console.log(limited.name, limited.length, Object.keys(limited), limited.pending, limited.pendingCount, limited.ref() === limited);
  console.log(Object.entries(Object.getOwnPropertyDescriptors(limited)).map(([name, { enumerable, configurable, get }]) =>
    `${name} ${enumerable} ${configurable} ${typeof get}`));
  const promises = [limited(1, 2), limited(3, 4), limited(5, 6)];
  console.log(limited.pendingCount, limited.pending === promises[2]);
  console.log(await settle(promises), calls);
  limited(7, 8).catch(() => {});
  limited.flush();
  console.log(calls.length, limited.pendingCount);
  const cancelled = [limited(9), limited(10)];
  limited.cancel(new Error('no more'));
  console.log(await settle(cancelled));
  console.log(await settle([limited('throw', 1), limited('throw', 2)]));

  const leading = debounce(original, 20, { leading: true, rejectOnCancel: true });
  console.log(await settle([leading(1, 1), leading(2, 2), leading(3, 3)]));

  const controller = new AbortController();
  const aborted = debounce(original, 20, { signal: controller.signal });
  const waiting = [aborted(1), aborted(2)];
  controller.abort('why');
  waiting.push(aborted(3));
  console.log(await settle(waiting));
  for (const make of [() => debounce(), () => debounce(original, -1), () => debounce(original, 2 ** 31), () => debounce(original, 1, { leading: 1 }),
    () => debounce(original, 1, { signal: {} }), () => debounce(original, 1, null), () => debounce(original, 1, { signal: controller.signal })]) refuse(make);
}

async function throttled() {
  let active = 0;
  let most = 0;
  async function original(name) {
    most = Math.max(most, ++active);
    await sleep(5);
    active--;
    if (name === 'bad') throw new Error('bad');
    return name;
  }
  for (const strict of [false, true]) {
    const limited = throttle(original, 2, 40, { strict });
    const start = Date.now();
    const promises = [limited('a'), limited('b'), limited('c'), limited('bad'), limited('e')];
    console.log(limited.pendingCount, limited.activeCount, limited.pending === promises[4], limited.hasImmediateCapacity());
    console.log(await settle(promises), Date.now() - start >= 79, limited.activeCount);
  }
  most = 0;
  const one = throttle(original, 10, 5, { concurrency: 1 });
  console.log(await settle([one('a'), one('b'), one('c')]), most);
  const dropping = throttle(original, 1, 1000, { overflow: 'drop' });
  console.log(await settle([dropping('a'), dropping('b')]));
  const bounded = throttle(original, 1, 20, { maxPending: 1 });
  console.log(await settle([bounded('a'), bounded('b'), bounded('c')]));
  const cancelled = throttle(original, 1, 1000);
  const promises = [cancelled('a'), cancelled('b')];
  cancelled.cancel();
  console.log(await settle(promises), cancelled.hasImmediateCapacity());
  const controller = new AbortController();
  const aborted = throttle(original, 1, 1000, { signal: controller.signal });
  const waiting = [aborted('a'), aborted('b')];
  controller.abort();
  waiting.push(aborted('c'));
  console.log((await settle(waiting)).map((text) => text.slice(0, 40)), Object.keys(aborted));
  for (const make of [() => throttle(1), () => throttle(original, 0, 1), () => throttle(original, 1, 1, { overflow: 'x' }), () => throttle(original, 1, 1, { concurrency: 0 }),
    () => throttle(original, 1, 1, { maxPending: -1 }), () => throttle(original, 1, 1, { strict: 'x' })]) refuse(make);
}

debounced().then(throttled);
