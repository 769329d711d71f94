'use strict';
// What util.debounce() and util.throttle() share: functions whose calls wait, and are given up together.

const { AbortError } = require('internal/errors');
const { addAbortListener } = require('internal/events/abort_listener');

// The calls whose promises are still to be settled, in order.
class WaitingCalls {
  #calls = [];
  #first = 0; // before it are calls that were taken

  get size() {
    return this.#calls.length - this.#first;
  }

  get last() {
    return this.size === 0 ? null : this.#calls[this.#calls.length - 1];
  }

  push(call) {
    this.#calls.push(call);
  }

  takeFirst() {
    const call = this.#calls[this.#first];
    this.#calls[this.#first++] = undefined;
    if (this.#first === this.#calls.length) this.takeAll();
    else if (this.#first > 1024 && this.#first * 2 >= this.#calls.length) this.#calls = this.takeAll();
    return call;
  }

  takeAll() {
    const calls = this.#calls.slice(this.#first);
    this.#calls = [];
    this.#first = 0;
    return calls;
  }

  reject(error) {
    for (const call of this.takeAll()) call.reject(error);
  }
}

function abortErrorOf(reason) {
  return reason === undefined ? new AbortError() : new AbortError(undefined, { __proto__: null, cause: reason });
}

// One error for all calls that a signal ends. `cancel(error)` gives up those that wait.
class Abortion {
  #signal;
  #cancel;
  error = undefined;

  constructor(signal, cancel) {
    if (signal?.aborted) throw new AbortError(undefined, { __proto__: null, cause: signal.reason });
    this.#signal = signal;
    this.#cancel = cancel;
  }

  // Once everything is there that cancel() needs.
  listen() {
    if (this.#signal !== undefined) addAbortListener(this.#signal, () => this.begin());
  }

  // Whether the signal has fired: it may have, and its listeners are still to run.
  get hasBegun() {
    if (this.#signal?.aborted) this.begin();
    return this.error !== undefined;
  }

  begin() {
    this.error ??= abortErrorOf(this.#signal.reason);
    this.#cancel(this.error);
  }
}

// The timer of the calls. It keeps the process alive unless it is unref'd.
class LimitTimer {
  #timeout = undefined;
  #holds = true;
  #callback;

  constructor(callback) {
    this.#callback = callback;
  }

  get isSet() {
    return this.#timeout !== undefined;
  }

  set(delay) {
    const { setTimeout } = require('timers');
    this.#timeout = setTimeout(() => {
      this.#timeout = undefined;
      this.#callback();
    }, delay);
    if (!this.#holds) this.#timeout.unref();
  }

  refresh() {
    this.#timeout.refresh();
  }

  clear() {
    require('timers').clearTimeout(this.#timeout);
    this.#timeout = undefined;
  }

  hold(holds) {
    this.#holds = holds;
    if (holds) this.#timeout?.ref();
    else this.#timeout?.unref();
  }
}

// Gives `limited` its methods, its figures, and the name and length of the function that it wraps.
function describeLimited(limited, original, methods, figures) {
  for (const name of Object.keys(methods)) {
    Object.defineProperty(limited, name, {
      __proto__: null, value: methods[name], writable: true, enumerable: true, configurable: true,
    });
  }
  for (const name of Object.keys(figures)) {
    const { get } = Object.getOwnPropertyDescriptor(figures, name);
    Object.defineProperty(limited, name, { __proto__: null, get, enumerable: false });
  }
  for (const name of ['length', 'name']) {
    Object.defineProperty(limited, name, { __proto__: null, value: original[name], configurable: true });
  }
}

// Nobody has to handle it.
function ignoreRejection(promise) {
  binding('util').markPromiseAsHandled(promise);
  require('internal/process/promises').promiseHandled(promise);
}

module.exports = { Abortion, LimitTimer, WaitingCalls, abortErrorOf, describeLimited, ignoreRejection };
