'use strict';
// Timers as promises. Wrong arguments do not throw: they reject.

const {
  setTimeout: startTimeout,
  setInterval: startInterval,
  setImmediate: startImmediate,
  clearTimeout,
  clearInterval,
  clearImmediate,
} = require('timers');
const { AbortError, codes } = require('internal/errors');
const {
  validateAbortSignal,
  validateBoolean,
  validateNumber,
  validateObject,
} = require('internal/validators');

function validateOptions(options) {
  validateObject(options, 'options');
  const { signal, ref } = options;
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
  if (ref !== undefined) validateBoolean(ref, 'options.ref');
}

function abortError(signal) {
  return new AbortError(undefined, { cause: signal.reason });
}

// Calls `abort` when the signal is aborted. Returns how to stop waiting for that.
function onceAborted(signal, abort) {
  const { kResistStopPropagation } = require('internal/event_target');
  signal.addEventListener('abort', abort, { once: true, [kResistStopPropagation]: true });
  return () => signal.removeEventListener('abort', abort);
}

// Settles as `promise` does, after `cleanUp`. It takes as many microtasks as Node
// takes, which uses no `then` or `finally` that a program could have replaced: so do we.
const { then, finally: anyway } = Promise.prototype;

function settleAfter(promise, cleanUp) {
  return new Promise((resolve, reject) => {
    const own = new Promise((fulfill, fail) => { then.call(promise, fulfill, fail); });
    then.call(anyway.call(own, cleanUp), resolve, reject);
  });
}

// `start(done)` starts a timer, `clear` stops it.
function promiseOf(start, clear, value, { signal, ref = true }) {
  if (signal?.aborted) return Promise.reject(abortError(signal));
  let forget;
  const promise = new Promise((resolve, reject) => {
    const timer = start(resolve, value);
    if (!ref) timer.unref();
    if (signal === undefined) return;
    forget = onceAborted(signal, () => {
      clear(timer);
      reject(abortError(signal));
    });
  });
  return signal === undefined ? promise : settleAfter(promise, forget);
}

function setTimeout(delay, value, options = {}) {
  try {
    if (delay !== undefined) validateNumber(delay, 'delay');
    validateOptions(options);
  } catch (error) {
    return Promise.reject(error);
  }
  const start = (done, result) => startTimeout(done, delay, result);
  return promiseOf(start, clearTimeout, value, options);
}

function setImmediate(value, options = {}) {
  try {
    validateOptions(options);
  } catch (error) {
    return Promise.reject(error);
  }
  return promiseOf(startImmediate, clearImmediate, value, options);
}

// What fires while the consumer is busy is yielded one after the other when it comes back.
async function* setInterval(delay, value, options = {}) {
  if (delay !== undefined) validateNumber(delay, 'delay');
  validateOptions(options);
  const { signal, ref = true } = options;
  if (signal?.aborted) throw abortError(signal);

  let fired = 0;
  let wake;
  let forget;
  const interval = startInterval(() => {
    fired++;
    wake?.();
    wake = undefined;
  }, delay);
  if (!ref) interval.unref();
  if (signal !== undefined) {
    forget = onceAborted(signal, () => {
      clearInterval(interval);
      wake?.(Promise.reject(abortError(signal)));
      wake = undefined;
    });
  }

  try {
    while (!signal?.aborted) {
      if (fired === 0) await new Promise((resolve) => { wake = resolve; });
      for (; fired > 0; fired--) yield value;
    }
    throw abortError(signal);
  } finally {
    clearInterval(interval);
    forget?.();
  }
}

// ---- scheduler ---------------------------------------------------------------------------------

const kScheduler = Symbol('kScheduler');

function validateScheduler(value) {
  if (!value[kScheduler]) throw new codes.ERR_INVALID_THIS('Scheduler');
}

class Scheduler {
  constructor() {
    throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
  }

  yield() {
    validateScheduler(this);
    return setImmediate();
  }

  wait(delay, options) {
    validateScheduler(this);
    return setTimeout(delay, undefined, options);
  }
}

const scheduler = Object.create(Scheduler.prototype);
scheduler[kScheduler] = true;

module.exports = { setTimeout, setImmediate, setInterval, scheduler };
