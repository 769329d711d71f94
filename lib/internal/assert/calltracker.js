'use strict';
// assert.CallTracker: checks at the end that functions were called as often as they should.

const {
  codes: { ERR_INVALID_ARG_VALUE, ERR_UNAVAILABLE_DURING_EXIT },
} = require('internal/errors');
const { validateUint32 } = require('internal/validators');
const AssertionError = require('internal/assert/assertion_error');

// Without a name, so that reports call it "calls".
const noop = (() => () => {})();

class CallTrackerContext {
  #calls = [];
  #expected;
  #name;
  #stackTrace;

  constructor(expected, name, stackTrace) {
    this.#expected = expected;
    this.#name = name;
    this.#stackTrace = stackTrace;
  }

  track(thisArg, args) {
    this.#calls.push(Object.freeze({ thisArg, arguments: Object.freeze(args.slice()) }));
  }

  reset() {
    this.#calls = [];
  }

  getCalls() {
    return Object.freeze(this.#calls.slice());
  }

  // What went wrong, or undefined.
  report() {
    const actual = this.#calls.length;
    if (actual === this.#expected) return undefined;
    return {
      message: `Expected the ${this.#name} function to be executed ${this.#expected} time(s) but was ` +
        `executed ${actual} time(s).`,
      actual,
      expected: this.#expected,
      operator: this.#name,
      stack: this.#stackTrace,
    };
  }
}

class CallTracker {
  #contexts = new Set();
  #tracked = new WeakMap();

  calls(fn, expected = 1) {
    if (process._exiting) throw new ERR_UNAVAILABLE_DURING_EXIT();
    if (typeof fn === 'number') {
      expected = fn;
      fn = noop;
    } else if (fn === undefined) {
      fn = noop;
    }
    validateUint32(expected, 'expected', true);

    // The error shows where the function came from.
    const context = new CallTrackerContext(expected, fn.name || 'calls', new Error());
    const tracked = new Proxy(fn, {
      __proto__: null,
      apply(target, thisArg, args) {
        context.track(thisArg, args);
        return Reflect.apply(target, thisArg, args);
      },
    });
    this.#contexts.add(context);
    this.#tracked.set(tracked, context);
    return tracked;
  }

  #contextOf(tracked) {
    const context = this.#tracked.get(tracked);
    if (context === undefined) {
      throw new ERR_INVALID_ARG_VALUE('tracked', tracked, 'is not a tracked function');
    }
    return context;
  }

  getCalls(tracked) {
    return this.#contextOf(tracked).getCalls();
  }

  reset(tracked) {
    if (tracked === undefined) for (const context of this.#contexts) context.reset();
    else this.#contextOf(tracked).reset();
  }

  report() {
    return [...this.#contexts].map((context) => context.report()).filter((report) => report !== undefined);
  }

  verify() {
    const details = this.report();
    if (details.length === 0) return;
    const message = details.length === 1 ?
      details[0].message : 'Functions were not called the expected number of times';
    throw new AssertionError({ message, details });
  }
}

module.exports = CallTracker;
