// AbortSignal.any(): arguments, the order in which composites abort, and what listeners see.
'use strict';

const util = require('node:util');

function attempt(name, run) {
  try {
    console.log(name, run());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}

attempt('nothing', () => AbortSignal.any());
attempt('number', () => AbortSignal.any(1));
attempt('object', () => AbortSignal.any({}));
attempt('item', () => AbortSignal.any([AbortSignal.abort(1), undefined]));
attempt('inherits', () => AbortSignal.any([Object.create(AbortSignal.abort(1))]));
attempt('set', () => AbortSignal.any(new Set([AbortSignal.abort('set')])).reason);
attempt('bad iterator', () => AbortSignal.any({ [Symbol.iterator]() {} }));
attempt('bad next', () => AbortSignal.any({ [Symbol.iterator]: () => ({}) }));
attempt('bad result', () => AbortSignal.any({ [Symbol.iterator]: () => ({ next() {} }) }));
attempt('empty', () => AbortSignal.any([]).aborted);

// In the order in which they were made, and all are aborted before the first listener runs.
{
  const controller = new AbortController();
  const first = AbortSignal.any([controller.signal]);
  const second = AbortSignal.any([first]);
  const unwatched = AbortSignal.any([second, new AbortController().signal]);
  const state = () => [controller.signal, first, second, unwatched].map((signal) => signal.aborted).join();
  second.onabort = () => console.log('second', state());
  first.onabort = () => console.log('first', state());
  controller.signal.onabort = () => console.log('source', state());
  controller.abort('why');
  console.log(first.reason, second.reason, unwatched.reason, state());
  unwatched.addEventListener('abort', () => console.log('not called'));
}

(async () => {
  await util.aborted({}, {}).catch((error) => console.log('aborted()', error.code, error.message));

  // A timeout that only the composite knows still aborts it.
  const timed = AbortSignal.any([AbortSignal.timeout(5)]);
  const hold = setTimeout(() => {}, 60000);
  await new Promise((resolve) => timed.addEventListener('abort', resolve));
  console.log(timed.reason.name);
  clearTimeout(hold);

  // A listener that throws leaves the others.
  const controller = new AbortController();
  const composite = AbortSignal.any([controller.signal]);
  composite.addEventListener('abort', () => console.log('composite'));
  controller.signal.addEventListener('abort', () => { throw new Error('thrown'); });
  process.once('uncaughtException', (error) => console.log('caught', error.message));
  controller.abort();
})();
