'use strict';
// What ends a test before its time: a limit, or a signal.

const { addAbortListener } = require('internal/events/abort_listener');
const { ERR_TEST_FAILURE, kinds } = require('internal/test_runner/failure');
const { clearTimeout, setTimeout } = require('timers');

// { promise, dispose }: it is resolved by the signal, and rejected when the time is over.
function stopWhen(timeout, signal) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const listener = addAbortListener(signal, resolve);
  let timer;
  if (timeout !== null) {
    timer = setTimeout(() => {
      reject(new ERR_TEST_FAILURE(`test timed out after ${timeout}ms`, kinds.timeout));
    }, timeout);
    timer.unref();
  }
  const dispose = () => {
    listener[Symbol.dispose]();
    clearTimeout(timer);
  };
  return { __proto__: null, promise, dispose };
}

module.exports = { stopWhen };
