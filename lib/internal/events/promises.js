'use strict';
// The promises of node:events: once(), on() and addAbortListener(), for emitters and event targets
// alike.

const { AbortError, codes } = require('internal/errors');
const {
  validateAbortSignal, validateFunction, validateInteger, validateObject,
} = require('internal/validators');

const kWatermarkData = Symbol.for('nodejs.watermarkData');
// An option of on() for our own use: iterate over the first argument of the events, not over all.
const kFirstEventParam = Symbol.for('nodejs.kFirstEventParam');

// ---- Adding and removing ----

function addListenerTo(emitter, name, listener, flags) {
  if (typeof emitter.on === 'function') {
    if (flags?.once) emitter.once(name, listener);
    else emitter.on(name, listener);
  } else if (typeof emitter.addEventListener === 'function') {
    emitter.addEventListener(name, listener, flags);
  } else {
    throw new codes.ERR_INVALID_ARG_TYPE('emitter', 'EventEmitter', emitter);
  }
}

function removeListenerFrom(emitter, name, listener, flags) {
  if (typeof emitter.removeListener === 'function') {
    emitter.removeListener(name, listener);
  } else if (typeof emitter.removeEventListener === 'function') {
    emitter.removeEventListener(name, listener, flags);
  } else {
    throw new codes.ERR_INVALID_ARG_TYPE('emitter', 'EventEmitter', emitter);
  }
}

let onceFlags;

// Of a listener that runs once, and even if another one stops the propagation.
function onceOptions() {
  if (onceFlags === undefined) {
    const { kResistStopPropagation } = require('internal/event_target');
    onceFlags = Object.freeze({ __proto__: null, once: true, [kResistStopPropagation]: true });
  }
  return onceFlags;
}

function addAbortListener(signal, listener) {
  if (signal === undefined) throw new codes.ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  validateAbortSignal(signal, 'signal');
  validateFunction(listener, 'listener');
  let removeListener;
  if (signal.aborted) {
    queueMicrotask(() => listener());
  } else {
    signal.addEventListener('abort', listener, onceOptions());
    removeListener = () => signal.removeEventListener('abort', listener);
  }
  return {
    __proto__: null,
    [Symbol.dispose]() {
      removeListener?.();
    },
  };
}

// ---- events.once() ----

async function once(emitter, name, options = {}) {
  validateObject(options, 'options');
  const { signal } = options;
  validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
  return new Promise((resolve, reject) => {
    const forgetSignal = () => {
      if (signal != null) removeListenerFrom(signal, 'abort', onAbort);
    };
    const onError = (error) => {
      emitter.removeListener(name, onEvent);
      forgetSignal();
      reject(error);
    };
    const onEvent = (...args) => {
      if (typeof emitter.removeListener === 'function') emitter.removeListener('error', onError);
      forgetSignal();
      resolve(args);
    };
    const onAbort = () => {
      removeListenerFrom(emitter, name, onEvent);
      removeListenerFrom(emitter, 'error', onError);
      reject(new AbortError(undefined, { cause: signal?.reason }));
    };

    addListenerTo(emitter, name, onEvent, onceOptions());
    // An event target has no special event 'error'.
    if (name !== 'error' && typeof emitter.once === 'function') emitter.once('error', onError);
    if (signal != null) addListenerTo(signal, 'abort', onAbort, onceOptions());
  });
}

// ---- events.on() ----

// First in, first out; what has been taken is dropped in one go when it is half of the array.
class Queue {
  #items = [];
  #head = 0;

  get size() {
    return this.#items.length - this.#head;
  }

  push(item) {
    this.#items.push(item);
  }

  shift() {
    const item = this.#items[this.#head];
    this.#items[this.#head++] = undefined;
    if (this.#head * 2 >= this.#items.length) {
      this.#items.splice(0, this.#head);
      this.#head = 0;
    }
    return item;
  }
}

const kAsyncIteratorPrototype =
  Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);

function on(emitter, event, options = {}) {
  validateObject(options, 'options');
  const { signal } = options;
  validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
  // Readable streams spell it "Watermark" here and "WaterMark" there.
  const highWaterMark = options.highWaterMark ?? options.highWatermark ?? Number.MAX_SAFE_INTEGER;
  const lowWaterMark = options.lowWaterMark ?? options.lowWatermark ?? 1;
  validateInteger(highWaterMark, 'options.highWaterMark', 1);
  validateInteger(lowWaterMark, 'options.lowWaterMark', 1);

  const unconsumed = new Queue(); // events without a waiting promise
  const waiting = new Queue(); // the resolve and reject of calls of next() without an event yet
  const registrations = [];
  let abortListener;
  let paused = false;
  let failure; // an error that was not reported yet
  let finished = false;

  const listen = (name, listener) => {
    addListenerTo(emitter, name, listener);
    registrations.push([name, listener]);
  };

  const close = () => {
    abortListener?.[Symbol.dispose]();
    for (const [name, listener] of registrations.splice(0)) {
      removeListenerFrom(emitter, name, listener);
    }
    finished = true;
    paused = false; // next() must not resume an emitter that may be closed
    const done = { value: undefined, done: true };
    while (waiting.size > 0) waiting.shift().resolve(done);
    return Promise.resolve(done);
  };

  const fail = (error) => {
    if (waiting.size > 0) waiting.shift().reject(error);
    else failure = error;
    close();
  };

  const deliver = (value) => {
    if (waiting.size > 0) {
      waiting.shift().resolve({ value, done: false });
      return;
    }
    unconsumed.push(value);
    if (!paused && unconsumed.size > highWaterMark) {
      paused = true;
      emitter.pause();
    }
  };

  const iterator = Object.setPrototypeOf({
    next() {
      if (unconsumed.size > 0) {
        const value = unconsumed.shift();
        if (paused && unconsumed.size < lowWaterMark) {
          emitter.resume();
          paused = false;
        }
        return Promise.resolve({ value, done: false });
      }
      if (failure) {
        const rejected = Promise.reject(failure);
        failure = undefined;
        return rejected;
      }
      if (finished) return close();
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
      });
    },

    return() {
      return close();
    },

    throw(error) {
      if (!(error instanceof Error)) {
        throw new codes.ERR_INVALID_ARG_TYPE('EventEmitter.AsyncIterator', 'Error', error);
      }
      fail(error);
    },

    [Symbol.asyncIterator]() {
      return this;
    },

    [kWatermarkData]: {
      get size() { return unconsumed.size; },
      get low() { return lowWaterMark; },
      get high() { return highWaterMark; },
      get isPaused() { return paused; },
    },
  }, kAsyncIteratorPrototype);

  listen(event, options[kFirstEventParam] ? deliver : (...args) => deliver(args));
  if (event !== 'error' && typeof emitter.on === 'function') listen('error', fail);
  for (const name of options.close ?? []) listen(name, close);
  if (signal) {
    abortListener = addAbortListener(signal, () => {
      fail(new AbortError(undefined, { cause: signal.reason }));
    });
  }
  return iterator;
}

module.exports = { addAbortListener, on, once };
