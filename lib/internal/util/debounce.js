'use strict';
// util.debounce(): a function that waits until it has not been called for a while, and then calls the original once,
// with the last arguments, for all callers that wait.

const { AbortError } = require('internal/errors');
const { TIMEOUT_MAX } = require('internal/timers');
const { Abortion, LimitTimer, WaitingCalls, abortErrorOf, describeLimited, ignoreRejection } =
  require('internal/util/rate_limit');
const {
  validateAbortSignal, validateBoolean, validateFunction, validateInteger, validateObject,
} = require('internal/validators');

function debounce(fn, wait, options = { __proto__: null }) {
  validateFunction(fn, 'fn');
  validateInteger(wait, 'wait', 0, TIMEOUT_MAX);
  validateObject(options, 'options');
  const { leading = false, rejectOnCancel = false, signal } = options;
  validateBoolean(leading, 'options.leading');
  validateBoolean(rejectOnCancel, 'options.rejectOnCancel');
  validateAbortSignal(signal, 'options.signal');

  const waiting = new WaitingCalls();
  const timer = new LimitTimer(callForAll);
  const abortion = new Abortion(signal, giveUp);
  let lastArguments;

  function giveUp(error) {
    if (!timer.isSet) return;
    timer.clear();
    lastArguments = undefined;
    waiting.reject(error);
  }

  function callOriginal(args, calls) {
    let result;
    try {
      if (abortion.hasBegun) throw abortion.error;
      result = Reflect.apply(fn, debounced, args);
    } catch (error) {
      for (const call of calls) call.reject(error);
      return;
    }
    for (const call of calls) call.resolve(result);
  }

  function callForAll() {
    const args = lastArguments;
    lastArguments = undefined;
    const calls = waiting.takeAll();
    if (calls.length > 0) callOriginal(args, calls);
  }

  // The calls before this one are settled with it, or now.
  function supersede() {
    const last = waiting.last;
    if (last === null) return;
    ignoreRejection(last.promise);
    if (rejectOnCancel) waiting.reject(new AbortError('The debounced call was superseded'));
  }

  function debounced(...args) {
    if (abortion.hasBegun) return Promise.reject(abortion.error);
    const isLeading = leading && !timer.isSet;
    if (timer.isSet) {
      supersede();
      timer.refresh();
    } else {
      timer.set(wait);
    }
    if (abortion.hasBegun) return Promise.reject(abortion.error);
    const call = Promise.withResolvers();
    if (isLeading) {
      callOriginal(args, [call]);
    } else {
      waiting.push(call);
      lastArguments = args;
    }
    return call.promise;
  }

  function cancel(reason) {
    giveUp(abortErrorOf(reason));
  }

  function flush() {
    if (waiting.size === 0) return;
    timer.clear();
    callForAll();
  }

  function ref() {
    timer.hold(true);
    return debounced;
  }

  function unref() {
    timer.hold(false);
    return debounced;
  }

  describeLimited(debounced, fn, { cancel, flush, ref, unref }, {
    get pending() { return waiting.last?.promise ?? null; },
    get pendingCount() { return waiting.size; },
  });
  abortion.listen();
  return debounced;
}

module.exports = debounce;
