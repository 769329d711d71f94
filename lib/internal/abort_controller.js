'use strict';
// AbortController and AbortSignal.
//
// A signal that will abort by itself (by a timer, or because it depends on others) must live while
// it has a listener and can still abort, and no longer: the timer and the sources hold it weakly,
// `awaitedSignals` holds it meanwhile.

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
  validateObject,
  validateUint32,
} = require('internal/validators');
const { conversionError, isObject, toSequence } = require('internal/web/idl_sequence');
const DOMException = require('internal/errors/dom_exception');
const { kDeserialize, kTransfer, kTransferList, markTransferable } = require('internal/messaging/transferable');

const kAborted = Symbol('kAborted');
const kReason = Symbol('kReason');
const kTimeout = Symbol('kTimeout');
const kComposite = Symbol('kComposite');
const kSourceSignals = Symbol('kSourceSignals'); // of a composite: a set of WeakRefs
const kDependantSignals = Symbol('kDependantSignals'); // of a source: a set of WeakRefs
const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kConstruct = Symbol('kConstruct');
const kPorts = Symbol('kPorts'); // of a signal that is being transferred

const awaitedSignals = new Set();
let timeoutRegistry;
let dependantRegistry;
let sourceRegistry;

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

function isAbortSignal(value) {
  return isObject(value) && Object.hasOwn(value, kAborted);
}

function toSignal(value, context) {
  if (isAbortSignal(value)) return value;
  throw conversionError(context, 'is not of type AbortSignal.');
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
    const sources = toSequence(signals, 'signals', toSignal);
    const result = new AbortSignal(kConstruct, false, undefined, true);
    if (sources.length === 0) return result;
    result[kSourceSignals] = new Set();
    for (const signal of sources) {
      // A timeout that only a composite knows has to live until it aborts.
      if (signal[kTimeout]) {
        awaitedSignals.add(signal);
        result[kTimeout] = true;
      }
      if (signal.aborted) {
        abortSignal(result, signal.reason);
        return result;
      }
      addSource(result, signal);
    }
    followSources(result);
    return result;
  }

  [kNewListener](size, type, listener, once, capture, passive, weak) {
    super[kNewListener](size, type, listener, once, capture, passive, weak);
    if (type !== 'abort' || size !== 1 || this[kAborted] || weak) return;
    if (this[kTimeout] || this[kSourceSignals]?.size > 0) awaitedSignals.add(this);
  }

  [kRemoveListener](size, type, listener, capture) {
    super[kRemoveListener](size, type, listener, capture);
    if (type === 'abort' && size === 0) awaitedSignals.delete(this);
  }

  // The copy learns through a port that the original aborts. Neither keeps the program running.
  [kTransferList]() {
    if (this.aborted) return [];
    const { MessageChannel } = require('internal/messaging/message_channel');
    const { port1, port2 } = this[kPorts] = new MessageChannel();
    port1.unref();
    port2.unref();
    return [port2];
  }

  [kTransfer]() {
    checkSignal(this);
    const deserializeInfo = 'internal/abort_controller:ClonedAbortSignal';
    if (this.aborted) return { data: { aborted: true, reason: this.reason }, deserializeInfo };
    const { port1, port2 } = this[kPorts];
    this[kPorts] = undefined;
    this.addEventListener('abort', () => {
      port1.postMessage(this.reason);
      port1.close();
    }, { once: true });
    return { data: { port: port2 }, deserializeInfo };
  }

  [kDeserialize]({ aborted, reason, port }) {
    if (aborted) {
      this[kAborted] = true;
      this[kReason] = reason;
      return;
    }
    port.onmessage = ({ data }) => abortSignal(this, data);
    port.unref();
  }
}

Object.defineProperty(AbortSignal.prototype, 'aborted', { __proto__: null, enumerable: true });
Object.defineProperty(AbortSignal.prototype, Symbol.toStringTag, {
  __proto__: null, value: 'AbortSignal', writable: false, enumerable: false, configurable: true,
});
defineEventHandler(AbortSignal.prototype, 'abort');

// What internal/messaging/transferable makes and fills in.
function ClonedAbortSignal() {
  return transferableAbortSignal(new AbortSignal(kConstruct));
}
ClonedAbortSignal.prototype = AbortSignal.prototype;

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
    for (const weakSource of signal[kSourceSignals] ?? []) composite[kSourceSignals].add(weakSource);
  } else {
    composite[kSourceSignals].add(new WeakRef(signal));
  }
}

function followSources(composite) {
  const weakComposite = new WeakRef(composite);
  for (const weakSource of composite[kSourceSignals]) {
    linkSignals(composite, weakComposite, weakSource);
  }
}

function linkSignals(composite, weakComposite, weakSource) {
  const source = weakSource.deref();
  if (source === undefined) return;
  source[kDependantSignals] ??= new Set();
  source[kDependantSignals].add(weakComposite);
  dependantRegistry ??= new FinalizationRegistry(({ source, dependant }) => {
    sourceRegistry.unregister(dependant);
    source.deref()?.[kDependantSignals].delete(dependant);
  });
  dependantRegistry.register(composite, { source: weakSource, dependant: weakComposite });
  // A composite that has lost its last source never aborts.
  sourceRegistry ??= new FinalizationRegistry(({ source, dependant }) => {
    const composite = dependant.deref();
    if (composite === undefined) return;
    composite[kSourceSignals].delete(source);
    if (composite[kSourceSignals].size === 0) awaitedSignals.delete(composite);
  });
  sourceRegistry.register(source, { source: weakSource, dependant: weakComposite }, weakComposite);
}

// All dependants are aborted before the first listener runs.
function abortSignal(signal, reason) {
  if (signal[kAborted]) return;
  const aborting = [signal];
  for (const weakDependant of signal[kDependantSignals] ?? []) {
    const dependant = weakDependant.deref();
    if (dependant !== undefined && !dependant[kAborted]) aborting.push(dependant);
  }
  for (const one of aborting) {
    one[kAborted] = true;
    one[kReason] = reason;
  }
  for (const one of aborting) {
    one.dispatchEvent(new Event('abort', { [kTrustEvent]: true }));
    awaitedSignals.delete(one);
  }
  for (const weakSource of signal[kSourceSignals] ?? []) awaitedSignals.delete(weakSource.deref());
}

let setControllerSignal;

class AbortController {
  #signal;

  static {
    setControllerSignal = (controller, signal) => { controller.#signal = signal; };
  }

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

// ---- For util ----

function transferableAbortSignal(signal) {
  if (signal?.[kAborted] === undefined) throw new codes.ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  markTransferable(signal);
  return signal;
}

function transferableAbortController() {
  const controller = new AbortController();
  setControllerSignal(controller, transferableAbortSignal(new AbortSignal(kConstruct)));
  return controller;
}

// util.aborted(): a promise that is fulfilled when the signal aborts, as long as `resource` lives.
async function aborted(signal, resource) {
  toSignal(signal, 'signal');
  validateObject(resource, 'resource', kValidateObjectAllowObjects);
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', resolve, {
      __proto__: null, [kWeakHandler]: resource, once: true, [kResistStopPropagation]: true,
    });
  });
}

module.exports = {
  AbortController, AbortSignal, ClonedAbortSignal, abortSignal, aborted, isAbortSignal,
  transferableAbortController, transferableAbortSignal,
};
