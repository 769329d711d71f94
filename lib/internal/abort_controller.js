'use strict';
// AbortController and AbortSignal.
//
// A signal that will abort by itself (by a timer, or because it depends on others) must live as
// long as somebody listens for it, and no longer: the timer and the sources hold it weakly,
// `awaitedSignals` holds it while it has a listener.

const { kMaxEventTargetListeners } = require('events');
const { codes } = require('internal/errors');
const {
  Event,
  EventTarget,
  defineEventHandler,
  kNewListener,
  kRemoveListener,
  kResistStopPropagation,
  kTrustEvent,
  kWeakHandler,
} = require('internal/event_target');
const {
  kValidateObjectAllowObjects,
  validateAbortSignal,
  validateAbortSignalArray,
  validateObject,
  validateUint32,
} = require('internal/validators');
const DOMException = require('internal/dom_exception');

const kAborted = Symbol('kAborted');
const kReason = Symbol('kReason');
const kTimeout = Symbol('kTimeout');
const kComposite = Symbol('kComposite');
const kSourceSignals = Symbol('kSourceSignals'); // of a composite: a set of WeakRefs
const kDependantSignals = Symbol('kDependantSignals'); // of a source: a set of WeakRefs
const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kConstruct = Symbol('kConstruct');

const awaitedSignals = new Set();
let timeoutRegistry;
let dependantRegistry;

function inspectWithFields(object, fields, depth, options) {
  if (depth < 0) return object;
  const { inspect } = require('internal/util/inspect');
  return `${object.constructor.name} ${inspect(fields, {
    ...options, depth: options.depth == null ? null : options.depth - 1,
  })}`;
}

function checkSignal(value) {
  if (typeof value?.[kAborted] !== 'boolean') throw new codes.ERR_INVALID_THIS('AbortSignal');
}

function newAbortReason() {
  return new DOMException('This operation was aborted', 'AbortError');
}

class AbortSignal extends EventTarget {
  constructor(secret = undefined, aborted = false, reason = undefined, composite = false) {
    if (secret !== kConstruct) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    super();
    this[kMaxEventTargetListeners] = 0; // many listen to one signal
    this[kAborted] = aborted;
    this[kReason] = reason;
    this[kComposite] = composite;
  }

  get aborted() {
    checkSignal(this);
    return Boolean(this[kAborted]);
  }

  get reason() {
    checkSignal(this);
    return this[kReason];
  }

  throwIfAborted() {
    checkSignal(this);
    if (this[kAborted]) throw this[kReason];
  }

  [kInspect](depth, options) {
    return inspectWithFields(this, { aborted: this.aborted }, depth, options);
  }

  static abort(reason = newAbortReason()) {
    return new AbortSignal(kConstruct, true, reason);
  }

  static timeout(delay) {
    validateUint32(delay, 'delay', false);
    const signal = new AbortSignal(kConstruct);
    signal[kTimeout] = true;
    abortAfter(new WeakRef(signal), signal, delay);
    return signal;
  }

  static any(signals) {
    validateAbortSignalArray(signals, 'signals');
    const result = new AbortSignal(kConstruct, false, undefined, true);
    const aborted = signals.find((signal) => signal.aborted);
    if (aborted !== undefined) {
      abortSignal(result, aborted.reason);
      return result;
    }
    result[kSourceSignals] = new Set();
    for (const signal of signals) addSource(result, signal);
    return result;
  }

  [kNewListener](size, type, listener, once, capture, passive, weak) {
    super[kNewListener](size, type, listener, once, capture, passive, weak);
    const abortsByItself = this[kTimeout] || this[kComposite];
    if (abortsByItself && type === 'abort' && !this[kAborted] && !weak && size === 1) {
      awaitedSignals.add(this);
    }
  }

  [kRemoveListener](size, type, listener, capture) {
    super[kRemoveListener](size, type, listener, capture);
    if (type === 'abort' && size === 0) awaitedSignals.delete(this);
  }
}

Object.defineProperty(AbortSignal.prototype, 'aborted', { __proto__: null, enumerable: true });
Object.defineProperty(AbortSignal.prototype, Symbol.toStringTag, {
  __proto__: null, value: 'AbortSignal', writable: false, enumerable: false, configurable: true,
});
defineEventHandler(AbortSignal.prototype, 'abort');

// The timer must not mention the signal, except weakly.
function abortAfter(weakSignal, signal, delay) {
  const { clearTimeout, setTimeout } = require('timers');
  const timeout = setTimeout(() => {
    const target = weakSignal.deref();
    if (target === undefined) return;
    awaitedSignals.delete(target);
    const message = 'The operation was aborted due to timeout';
    abortSignal(target, new DOMException(message, 'TimeoutError'));
  }, delay);
  timeout.unref();
  timeoutRegistry ??= new FinalizationRegistry(clearTimeout);
  timeoutRegistry.register(signal, timeout);
}

// A composite depends on what is not composite itself: of another composite, it takes over the
// sources.
function addSource(composite, signal) {
  if (signal[kComposite]) {
    for (const weakSource of signal[kSourceSignals] ?? []) {
      const source = weakSource.deref();
      if (source !== undefined) linkSignals(composite, source);
    }
  } else {
    linkSignals(composite, signal);
  }
}

function linkSignals(composite, source) {
  const weakComposite = new WeakRef(composite);
  const weakSource = new WeakRef(source);
  source[kDependantSignals] ??= new Set();
  source[kDependantSignals].add(weakComposite);
  composite[kSourceSignals].add(weakSource);
  dependantRegistry ??= new FinalizationRegistry(({ source, dependant }) => {
    source.deref()?.[kDependantSignals].delete(dependant);
  });
  dependantRegistry.register(composite, { source: weakSource, dependant: weakComposite });
}

function abortSignal(signal, reason) {
  if (signal[kAborted]) return;
  signal[kAborted] = true;
  signal[kReason] = reason;
  signal.dispatchEvent(new Event('abort', { [kTrustEvent]: true }));
  for (const weakDependant of signal[kDependantSignals] ?? []) {
    const dependant = weakDependant.deref();
    if (dependant !== undefined) abortSignal(dependant, reason);
  }
  awaitedSignals.delete(signal);
}

class AbortController {
  #signal;

  get signal() {
    this.#signal ??= new AbortSignal(kConstruct);
    return this.#signal;
  }

  abort(reason = newAbortReason()) {
    this.#signal ??= new AbortSignal(kConstruct);
    abortSignal(this.#signal, reason);
  }

  [kInspect](depth, options) {
    return inspectWithFields(this, { signal: this.signal }, depth, options);
  }
}

for (const key of ['signal', 'abort']) {
  Object.defineProperty(AbortController.prototype, key, { __proto__: null, enumerable: true });
}
Object.defineProperty(AbortController.prototype, Symbol.toStringTag, {
  __proto__: null, value: 'AbortController', writable: false, enumerable: false, configurable: true,
});

// util.aborted(): a promise that is fulfilled when the signal aborts, as long as `resource` lives.
async function aborted(signal, resource) {
  if (signal === undefined) throw new codes.ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  validateAbortSignal(signal, 'signal');
  validateObject(resource, 'resource', kValidateObjectAllowObjects);
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', resolve, {
      __proto__: null, [kWeakHandler]: resource, once: true, [kResistStopPropagation]: true,
    });
  });
}

module.exports = { AbortController, AbortSignal, aborted };
