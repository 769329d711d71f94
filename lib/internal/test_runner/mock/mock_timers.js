'use strict';
// mock.timers: timers and a clock that advance when the test says so.

const { AbortError, codes: { ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE } } =
  require('internal/errors');
const { addAbortListener } = require('internal/events/abort_listener');
const { makeMockDate } = require('internal/test_runner/mock/date');
const { TIMEOUT_MAX } = require('internal/timers');
const { validateAbortSignal, validateNumber, validateStringArray, validateUint32 } =
  require('internal/validators');
const timers = require('timers');
const timersPromises = require('timers/promises');

const kApis = ['setTimeout', 'setInterval', 'setImmediate', 'Date', 'scheduler.wait',
  'AbortSignal.timeout'];
const kImmediateDelay = -1; // before all that have none

// What the functions return instead of a Timeout.
class MockTimeout {
  #clear;

  constructor(id, callback, runAt, interval, args, clear) {
    this.id = id;
    this.callback = callback;
    this.runAt = runAt;
    this.interval = interval;
    this.args = args;
    this.#clear = clear;
  }

  hasRef() { return true; }
  ref() { return this; }
  unref() { return this; }
  refresh() { return this; }

  close() {
    this.#clear(this);
    return this;
  }

  [Symbol.dispose]() {
    this.#clear(this);
  }
}

// Timers by when they run; those of one time in the order in which they were set.
class Queue {
  #timers = [];

  add(timer) {
    const isLater = (other) => other.runAt - timer.runAt || other.id - timer.id;
    let at = this.#timers.length;
    while (at > 0 && isLater(this.#timers[at - 1]) > 0) at--;
    this.#timers.splice(at, 0, timer);
  }

  remove(timer) {
    const at = this.#timers.indexOf(timer);
    if (at !== -1) this.#timers.splice(at, 1);
    return at !== -1;
  }

  get first() { return this.#timers[0]; }
  get last() { return this.#timers.at(-1); }
  clear() { this.#timers = []; }
}

function abortErrorOf({ reason }) {
  return new AbortError(undefined, { __proto__: null, cause: reason });
}

function validateTime(time) {
  if (time < 0) throw new ERR_INVALID_ARG_VALUE('time', 'positive integer', time);
}

function isDate(value) {
  try {
    Date.prototype.getTime.call(value);
    return true;
  } catch {
    return false;
  }
}

class MockTimers {
  #apis = [];
  #isEnabled = false;
  #lastId = 0;
  #now = 0;
  #queue = new Queue();
  #restores = []; // each puts something back

  // ---- Timers ----

  #set(isInterval, callback, delay, args) {
    if (delay > TIMEOUT_MAX) delay = 1;
    const timer = new MockTimeout(++this.#lastId, callback, this.#now + delay,
      isInterval ? delay : undefined, args, this.#clear);
    this.#queue.add(timer);
    return timer;
  }

  #clear = (timer) => {
    if (timer !== undefined && timer !== null && this.#queue.remove(timer)) {
      timer.interval = undefined;
    }
  };

  #setTimeout = (callback, delay, ...args) => this.#set(false, callback, delay, args);
  #setInterval = (callback, delay, ...args) => this.#set(true, callback, delay, args);
  #setImmediate = (callback, ...args) => this.#set(false, callback, kImmediateDelay, args);

  // ---- Promises ----

  #listen(options, onAbort) {
    const signal = options?.signal;
    if (!signal) return undefined;
    validateAbortSignal(signal, 'options.signal');
    if (signal.aborted) throw abortErrorOf(signal);
    return addAbortListener(signal, () => onAbort(abortErrorOf(signal)));
  }

  async #later(delay, result, options) {
    const { promise, resolve, reject } = Promise.withResolvers();
    const listener = this.#listen(options, reject);
    const timer = this.#set(false, resolve, delay, []);
    try {
      await promise;
      return result;
    } finally {
      listener?.[Symbol.dispose]();
      this.#clear(timer);
    }
  }

  async* #every(interval, result, options) {
    const { EventEmitter, on } = require('events');
    const emitter = new EventEmitter();
    const listener = this.#listen(options, (error) => emitter.emit('error', error));
    const ticks = on(emitter, 'tick');
    const timer = this.#set(true, () => emitter.emit('tick'), interval, []);
    try {
      while (!(await ticks.next()).done) yield result;
    } finally {
      listener?.[Symbol.dispose]();
      this.#clear(timer);
    }
  }

  // ---- The replacements ----

  #replace(object, name, value) {
    const descriptor = Object.getOwnPropertyDescriptor(object, name);
    this.#restores.push(() =>
      Object.defineProperty(object, name, { __proto__: null, ...descriptor }));
    object[name] = value;
  }

  #replaceTimer(kind, set, promised) {
    for (const object of [globalThis, timers]) {
      this.#replace(object, `set${kind}`, set);
      this.#replace(object, `clear${kind}`, this.#clear);
    }
    this.#replace(timersPromises, `set${kind}`, promised);
  }

  #replaceAbortSignalTimeout() {
    const descriptor = Object.getOwnPropertyDescriptor(AbortSignal, 'timeout');
    this.#restores.push(() =>
      Object.defineProperty(AbortSignal, 'timeout', { __proto__: null, ...descriptor }));
    const setTimeout = this.#setTimeout;
    Object.defineProperty(AbortSignal, 'timeout', {
      __proto__: null,
      configurable: true,
      writable: true,
      value: function timeout(delay) {
        validateUint32(delay, 'delay', false);
        const controller = new AbortController();
        setTimeout(() => controller.abort(), delay);
        return controller.signal;
      },
    });
  }

  #replaceApi(api) {
    switch (api) {
      case 'setTimeout':
        return this.#replaceTimer('Timeout', this.#setTimeout,
          (ms, result, options) => this.#later(ms, result, options));
      case 'setInterval':
        return this.#replaceTimer('Interval', this.#setInterval,
          (ms, result, options) => this.#every(ms, result, options));
      case 'setImmediate':
        return this.#replaceTimer('Immediate', this.#setImmediate,
          (result, options) => this.#later(kImmediateDelay, result, options));
      case 'Date': {
        const descriptor = Object.getOwnPropertyDescriptor(globalThis, 'Date');
        this.#restores.push(() =>
          Object.defineProperty(globalThis, 'Date', { __proto__: null, ...descriptor }));
        globalThis.Date = makeMockDate(descriptor.value, () => this.#now);
        return undefined;
      }
      case 'scheduler.wait':
        return this.#replace(timersPromises.scheduler, 'wait',
          (delay, options) => this.#later(delay, undefined, options));
      case 'AbortSignal.timeout':
        return this.#replaceAbortSignalTimeout();
    }
    return undefined;
  }

  // ---- For tests ----

  enable(options = { __proto__: null, apis: kApis, now: 0 }) {
    const { apis, now } = { __proto__: null, ...options };
    if (this.#isEnabled) throw new ERR_INVALID_STATE('MockTimers is already enabled!');
    if (Number.isNaN(now)) {
      throw new ERR_INVALID_ARG_VALUE('now', now, `epoch must be a positive integer received ${now}`);
    }
    const chosen = apis || kApis;
    validateStringArray(chosen, 'options.apis');
    for (const api of chosen) {
      if (!kApis.includes(api)) {
        throw new ERR_INVALID_ARG_VALUE('options.apis', api, `option ${api} is not supported`);
      }
    }
    this.#apis = chosen;
    this.#now = this.#toTime(now || 0);
    for (const api of this.#apis) this.#replaceApi(api);
    this.#isEnabled = true;
  }

  #toTime(now) {
    if (isDate(now)) return Date.prototype.getTime.call(now);
    validateNumber(now, 'initialTime');
    validateTime(now);
    return now;
  }

  #check() {
    if (this.#isEnabled) return;
    throw new ERR_INVALID_STATE(
      'You should enable MockTimers first by calling the .enable function');
  }

  setTime(time = 0) {
    validateNumber(time, 'time');
    validateTime(time);
    this.#check();
    this.#now = time;
  }

  tick(time = 1) {
    this.#check();
    validateTime(time);
    this.#now += time;
    for (let timer = this.#queue.first; timer !== undefined; timer = this.#queue.first) {
      if (timer.runAt > this.#now) return;
      Reflect.apply(timer.callback, undefined, timer.args);
      // It may have been cleared by its own callback, or be after another now.
      if (this.#queue.first === timer) this.#queue.remove(timer);
      if (timer.interval !== undefined) {
        timer.runAt += timer.interval;
        this.#queue.add(timer);
      }
    }
  }

  runAll() {
    this.#check();
    const { last } = this.#queue;
    if (last !== undefined) this.tick(last.runAt - this.#now);
  }

  reset() {
    if (!this.#isEnabled) return;
    for (const restore of this.#restores) restore();
    this.#restores = [];
    this.#isEnabled = false;
    this.#apis = [];
    this.#now = 0;
    this.#queue.clear();
  }

  [Symbol.dispose]() {
    this.reset();
  }
}

module.exports = { MockTimers };
