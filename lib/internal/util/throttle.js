'use strict';
// util.throttle(): a function that calls the original at most `limit` times in each interval, and at most so many
// times at once. What is too much waits, or is refused.

const { codes: { ERR_THROTTLED } } = require('internal/errors');
const { TIMEOUT_MAX } = require('internal/timers');
const { Abortion, LimitTimer, WaitingCalls, abortErrorOf, describeLimited, ignoreRejection } =
  require('internal/util/rate_limit');
const {
  validateAbortSignal, validateBoolean, validateFunction, validateInteger, validateObject, validateOneOf,
} = require('internal/validators');
const { now: loopTime } = binding('timers');

// Counts calls in windows that begin with the first call after the one before has passed.
class Windows {
  #limit;
  #interval;
  #start = undefined;
  #count = 0;

  constructor(limit, interval) {
    this.#limit = limit;
    this.#interval = interval;
  }

  #isOver(now) {
    return this.#start === undefined || now - this.#start >= this.#interval;
  }

  wouldAdmit(now) {
    return this.#isOver(now) || this.#count < this.#limit;
  }

  admits(now) {
    if (this.#isOver(now)) {
      this.#count = 0;
      this.#start = now;
    }
    return this.#count < this.#limit;
  }

  add() {
    this.#count++;
  }

  // When the next call is admitted.
  get nextTime() {
    return this.#start + this.#interval;
  }

  reset() {
    this.#start = undefined;
    this.#count = 0;
  }
}

// In no interval, wherever it begins, are there more calls than the limit.
class SlidingInterval {
  #limit;
  #interval;
  #times = []; // of the calls

  constructor(limit, interval) {
    this.#limit = limit;
    this.#interval = interval;
  }

  #recent(now) {
    return this.#times.filter((time) => now - time < this.#interval);
  }

  wouldAdmit(now) {
    return this.#recent(now).length < this.#limit;
  }

  admits(now) {
    this.#times = this.#recent(now);
    return this.#times.length < this.#limit;
  }

  add(now) {
    this.#times.push(now);
  }

  get nextTime() {
    return this.#times[0] + this.#interval;
  }

  reset() {
    this.#times = [];
  }
}

function refuse() {
  const promise = Promise.reject(new ERR_THROTTLED());
  ignoreRejection(promise);
  return promise;
}

function throttle(fn, limit, interval, options = { __proto__: null }) {
  validateFunction(fn, 'fn');
  validateInteger(limit, 'limit', 1);
  validateInteger(interval, 'interval', 0, TIMEOUT_MAX);
  validateObject(options, 'options');
  const { concurrency = Infinity, maxPending = Infinity, overflow = 'queue', signal, strict = false } = options;
  if (concurrency !== Infinity) validateInteger(concurrency, 'options.concurrency', 1);
  if (maxPending !== Infinity) validateInteger(maxPending, 'options.maxPending', 0);
  validateOneOf(overflow, 'options.overflow', ['queue', 'drop']);
  validateAbortSignal(signal, 'options.signal');
  validateBoolean(strict, 'options.strict');

  const waiting = new WaitingCalls();
  const timer = new LimitTimer(callWaiting);
  const abortion = new Abortion(signal, giveUp);
  const limiter = strict ? new SlidingInterval(limit, interval) : new Windows(limit, interval);
  let active = 0;

  function giveUp(error) {
    timer.clear();
    limiter.reset();
    waiting.reject(error);
  }

  function settled() {
    active--;
    callWaiting();
  }

  function callOriginal(call) {
    active++;
    let result;
    try {
      result = Promise.resolve(Reflect.apply(fn, throttled, call.args));
    } catch (error) {
      result = Promise.reject(error);
    }
    call.resolve(result);
    result.then(settled, settled);
  }

  function wait() {
    if (timer.isSet || waiting.size === 0 || active >= concurrency) return;
    const now = loopTime();
    if (limiter.admits(now)) callWaiting();
    else timer.set(limiter.nextTime - now);
  }

  function callWaiting() {
    if (abortion.hasBegun) return;
    while (waiting.size > 0 && active < concurrency) {
      const now = loopTime();
      if (!limiter.admits(now)) break;
      const call = waiting.takeFirst();
      limiter.add(now);
      callOriginal(call);
    }
    wait();
  }

  function throttled(...args) {
    if (abortion.hasBegun) return Promise.reject(abortion.error);
    const now = loopTime();
    const isAdmitted = waiting.size === 0 && active < concurrency && limiter.admits(now);
    if (!isAdmitted && (overflow === 'drop' || waiting.size >= maxPending)) return refuse();
    const call = { ...Promise.withResolvers(), args };
    if (isAdmitted) {
      limiter.add(now);
      callOriginal(call);
    } else {
      waiting.push(call);
      wait();
    }
    return call.promise;
  }

  function cancel(reason) {
    giveUp(abortErrorOf(reason));
  }

  function hasImmediateCapacity() {
    return !signal?.aborted && waiting.size === 0 && active < concurrency && limiter.wouldAdmit(loopTime());
  }

  function ref() {
    timer.hold(true);
    return throttled;
  }

  function unref() {
    timer.hold(false);
    return throttled;
  }

  describeLimited(throttled, fn, { cancel, hasImmediateCapacity, ref, unref }, {
    get pending() { return waiting.last?.promise ?? null; },
    get pendingCount() { return waiting.size; },
    get activeCount() { return active; },
  });
  abortion.listen();
  return throttled;
}

module.exports = throttle;
