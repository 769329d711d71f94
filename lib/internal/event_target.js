'use strict';
// Event, CustomEvent, EventTarget as on the web, and NodeEventTarget, which has the methods of an
// EventEmitter too.
//
// There is no tree: an event is dispatched at its target and nowhere else. What a listener throws
// does not reach the dispatcher; it becomes an uncaught exception in the next tick.

const EventEmitter = require('events');
const { codes, genericNodeError } = require('internal/errors');
const { toText } = require('internal/web/idl_sequence');
const {
  kValidateObjectAllowObjects,
  validateAbortSignal,
  validateInternalField,
  validateObject,
  validateString,
} = require('internal/validators');

const { kMaxEventTargetListeners, kMaxEventTargetListenersWarned } = EventEmitter;

const kIsEventTarget = Symbol.for('nodejs.event_target');
const kIsNodeEventTarget = Symbol('kIsNodeEventTarget');

// Fields of an event. Those that others of our modules or comparisons of events have to see are
// symbols.
const kType = Symbol('type');
const kTarget = Symbol('kTarget');
const kIsBeingDispatched = Symbol('kIsBeingDispatched');
const kStop = Symbol('kStop'); // the listeners still to come are left out
const kInPassiveListener = Symbol('kInPassiveListener'); // which cannot prevent the default

// Fields of a target.
const kEvents = Symbol('kEvents'); // type -> the head of a list of listeners
const kHandlers = Symbol('kHandlers'); // type -> the listener of the attribute `on<name>`

// What a subclass of EventTarget can define.
const kNewListener = Symbol('kNewListener');
const kRemoveListener = Symbol('kRemoveListener');
const kCreateEvent = Symbol('kCreateEvent');
const kHybridDispatch = Symbol.for('nodejs.internal.kHybridDispatch');

// Options for our own use: of an event, that it is the runtime's; of a listener, that only the
// given object keeps it alive; that it runs although the propagation was stopped; that it gets the
// emitted value, not an event.
const kTrustEvent = Symbol('kTrustEvent');
const kWeakHandler = Symbol('kWeak');
const kResistStopPropagation = Symbol('kResistStopPropagation');
const kIsNodeStyleListener = Symbol('kIsNodeStyleListener');

const kInspect = Symbol.for('nodejs.util.inspect.custom');

const { now } = binding('performance');

// "Name { ... }", for the inspection of an object as if it had only the fields given.
function inspectAs(object, fields, depth, options) {
  const { name } = object.constructor;
  if (depth < 0) return name;
  const { inspect } = require('internal/util/inspect');
  return `${name} ${inspect(fields, {
    ...options,
    depth: Number.isInteger(options.depth) ? options.depth - 1 : options.depth,
  })}`;
}

function defineEnumerable(target, ...keys) {
  for (const key of keys) Object.defineProperty(target, key, { __proto__: null, enumerable: true });
}

function defineTag(Class) {
  Object.defineProperty(Class.prototype, Symbol.toStringTag, {
    __proto__: null, value: Class.name, writable: false, enumerable: false, configurable: true,
  });
}

// ---- Events ----

function isEvent(value) {
  return typeof value?.[kType] === 'string';
}

function checkEvent(value) {
  if (!isEvent(value)) throw new codes.ERR_INVALID_THIS('Event');
}

// Whether the runtime made the event.
let isTrusted;

class Event {
  #cancelable;
  #bubbles;
  #composed;
  #trusted;
  #defaultPrevented = false;
  #propagationStopped = false;
  #timestamp = now();

  constructor(type, options = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('type');
    if (options != null) validateObject(options, 'options');
    this.#bubbles = Boolean(options?.bubbles);
    this.#cancelable = Boolean(options?.cancelable);
    this.#composed = Boolean(options?.composed);
    this.#trusted = options?.[kTrustEvent] === true;
    this[kType] = `${type}`;
    this[kTarget] = null;
    this[kIsBeingDispatched] = false;
    this[kInPassiveListener] = false;
  }

  static {
    isTrusted = (value) =>
      typeof value === 'object' && value !== null && #trusted in value && value.#trusted;
  }

  initEvent(type, bubbles = false, cancelable = false) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('type');
    checkEvent(this);
    if (this[kIsBeingDispatched]) return;
    this[kType] = `${type}`;
    this.#bubbles = Boolean(bubbles);
    this.#cancelable = Boolean(cancelable);
  }

  [kInspect](depth, options) {
    checkEvent(this);
    return inspectAs(this, {
      type: this[kType],
      defaultPrevented: this.#defaultPrevented,
      cancelable: this.#cancelable,
      timeStamp: this.#timestamp,
    }, depth, options);
  }

  stopImmediatePropagation() {
    checkEvent(this);
    // As the web has it, this stops the propagation in general as well.
    this.stopPropagation();
    this[kStop] = true;
  }

  preventDefault() {
    checkEvent(this);
    if (this.#cancelable && !this[kInPassiveListener]) this.#defaultPrevented = true;
  }

  get target() {
    checkEvent(this);
    return this[kTarget];
  }

  get currentTarget() {
    checkEvent(this);
    return this[kIsBeingDispatched] ? this[kTarget] : null;
  }

  get srcElement() {
    checkEvent(this);
    return this[kTarget];
  }

  get type() {
    checkEvent(this);
    return this[kType];
  }

  get cancelable() {
    checkEvent(this);
    return this.#cancelable;
  }

  get defaultPrevented() {
    checkEvent(this);
    return this.#cancelable && this.#defaultPrevented;
  }

  get timeStamp() {
    checkEvent(this);
    return this.#timestamp;
  }

  composedPath() {
    checkEvent(this);
    return this[kIsBeingDispatched] ? [this[kTarget]] : [];
  }

  get returnValue() {
    checkEvent(this);
    return !this.#cancelable || !this.#defaultPrevented;
  }

  set returnValue(value) {
    checkEvent(this);
    if (!value && this.#cancelable && !this[kInPassiveListener]) this.#defaultPrevented = true;
  }

  get bubbles() {
    checkEvent(this);
    return this.#bubbles;
  }

  get composed() {
    checkEvent(this);
    return this.#composed;
  }

  get eventPhase() {
    checkEvent(this);
    return this[kIsBeingDispatched] ? Event.AT_TARGET : Event.NONE;
  }

  get cancelBubble() {
    checkEvent(this);
    return this.#propagationStopped;
  }

  set cancelBubble(value) {
    checkEvent(this);
    if (value) this.#propagationStopped = true;
  }

  stopPropagation() {
    checkEvent(this);
    this.#propagationStopped = true;
  }
}

defineEnumerable(Event.prototype, 'initEvent', 'stopImmediatePropagation', 'preventDefault',
  'target', 'currentTarget', 'srcElement', 'type', 'cancelable', 'defaultPrevented', 'timeStamp',
  'composedPath', 'returnValue', 'bubbles', 'composed', 'eventPhase', 'cancelBubble',
  'stopPropagation');
defineTag(Event);

Object.defineProperty(Event.prototype, 'isTrusted', {
  __proto__: null,
  get: Object.getOwnPropertyDescriptor({
    get isTrusted() { return isTrusted(this); },
  }, 'isTrusted').get,
  enumerable: true,
  configurable: false,
});

['NONE', 'CAPTURING_PHASE', 'AT_TARGET', 'BUBBLING_PHASE'].forEach((phase, value) => {
  Object.defineProperty(Event, phase, { __proto__: null, value, enumerable: true });
});

class CustomEvent extends Event {
  #detail;

  constructor(type, options = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('type');
    super(type, options);
    this.#detail = options?.detail ?? null;
  }

  get detail() {
    if (typeof this !== 'object' || this === null || !(#detail in this)) {
      throw new codes.ERR_INVALID_THIS('CustomEvent');
    }
    return this.#detail;
  }
}

defineEnumerable(CustomEvent.prototype, 'detail');
defineTag(CustomEvent);

// ---- Listeners ----

// retainer -> target -> the listeners of the target that the retainer keeps alive. They are kept
// only as long as both live: a target that is gone has no use for them.
const weakListeners = new WeakMap();
let weakListenerRegistry;

// The set that the listener is now in.
function retain(retainer, target, listener) {
  if (!weakListeners.has(retainer)) weakListeners.set(retainer, new WeakMap());
  const byTarget = weakListeners.get(retainer);
  if (!byTarget.has(target)) byTarget.set(target, new Set());
  return byTarget.get(target).add(listener);
}

// One entry of a list; the head of a list is { size, next, previous }.
class Listener {
  next = undefined;
  previous;
  removed = false;
  // The function or the object with handleEvent; a WeakRef to it if it is weak.
  #callback;
  #weak;
  // If it is weak: a WeakRef to the set that keeps it alive.
  #retained;

  constructor(target, type, previous, callback, options) {
    this.previous = previous;
    previous.next = this;
    this.once = options.once;
    this.capture = options.capture;
    this.passive = options.passive;
    this.resistStopPropagation = options.resistStopPropagation;
    this.isNodeStyleListener = options.isNodeStyleListener;
    this.#weak = Boolean(options.weak);
    if (this.#weak) {
      this.#callback = new WeakRef(callback);
      this.#retained = new WeakRef(retain(options.weak, target, callback));
      weakListenerRegistry ??= new FinalizationRegistry(forgetCollectedListener);
      weakListenerRegistry.register(callback, {
        entry: new WeakRef(this), type, target: new WeakRef(target),
      }, this);
    } else {
      this.#callback = callback;
    }
  }

  // Undefined if it was weak and is gone.
  get callback() {
    return this.#weak ? this.#callback.deref() : this.#callback;
  }

  matches(callback, capture) {
    return this.capture === capture && this.callback === callback;
  }

  unlink() {
    this.previous.next = this.next;
    if (this.next !== undefined) this.next.previous = this.previous;
    this.removed = true;
    if (this.#weak) {
      this.#retained.deref()?.delete(this.callback);
      weakListenerRegistry.unregister(this);
    }
  }
}

function forgetCollectedListener(weak) {
  const target = weak.target.deref();
  const entry = weak.entry.deref();
  if (target === undefined || entry === undefined || entry.removed) return;
  removeEntry(target, weak.type, listOf(target, weak.type), entry);
}

// Takes an entry out of its list and reports it to the target.
function unlinkEntry(target, type, head, entry) {
  const { callback, capture } = entry;
  entry.unlink();
  head.size--;
  target[kRemoveListener](head.size, type, callback, capture);
}

// The same, and an empty list goes. `head` is undefined if the whole list is already gone.
function removeEntry(target, type, head, entry) {
  if (head === undefined) {
    entry.unlink();
    return;
  }
  if (head.size === 1) target[kEvents].delete(type);
  unlinkEntry(target, type, head, entry);
}

function isListener(listener) {
  if (listener == null) return false;
  if (typeof listener === 'function' || typeof listener === 'object' ||
      typeof listener.handleEvent === 'function') return true;
  throw new codes.ERR_INVALID_ARG_TYPE('listener', 'EventListener', listener);
}

function readListenerOptions(options) {
  if (typeof options === 'boolean') options = { capture: options };
  else if (options === null) options = {};
  else validateObject(options, 'options', kValidateObjectAllowObjects);
  return {
    once: Boolean(options.once),
    capture: Boolean(options.capture),
    passive: Boolean(options.passive),
    signal: options.signal,
    weak: options[kWeakHandler],
    resistStopPropagation: options[kResistStopPropagation] ?? false,
    isNodeStyleListener: Boolean(options[kIsNodeStyleListener]),
  };
}

// ---- Targets ----

function initEventTarget(target) {
  target[kEvents] = undefined;
  target[kMaxEventTargetListeners] = EventEmitter.defaultMaxListeners;
  target[kMaxEventTargetListenersWarned] = false;
  target[kHandlers] = undefined;
}

// The head of the list of a type; undefined if there is none.
function listOf(target, type) {
  return target[kEvents]?.get(type);
}

function isEventTarget(value) {
  return value?.constructor?.[kIsEventTarget] === true;
}

function isNodeEventTarget(value) {
  return value?.constructor?.[kIsNodeEventTarget] === true;
}

function checkTarget(value) {
  if (!isEventTarget(value)) throw new codes.ERR_INVALID_THIS('EventTarget');
}

function checkNodeTarget(value) {
  if (!isNodeEventTarget(value)) throw new codes.ERR_INVALID_THIS('NodeEventTarget');
}

function throwInNextTick(error) {
  process.nextTick(() => { throw error; });
}

class EventTarget {
  static [kIsEventTarget] = true;

  constructor() {
    initEventTarget(this);
  }

  // Called when a listener was added; there are now `size` of this type.
  [kNewListener](size, type, listener, once, capture, passive, weak) {
    const limit = this[kMaxEventTargetListeners];
    if (limit > 0 && size > limit && !this[kMaxEventTargetListenersWarned]) {
      this[kMaxEventTargetListenersWarned] = true;
      const { inspect } = require('internal/util/inspect');
      const message = `Possible EventTarget memory leak detected. ${size} ${type} listeners ` +
        `added to ${inspect(this, { depth: -1 })}. MaxListeners is ${limit}. ` +
        'Use events.setMaxListeners() to increase limit';
      process.emitWarning(genericNodeError(message, {
        name: 'MaxListenersExceededWarning', target: this, type, count: size,
      }));
    }
  }

  // Called when a listener was removed.
  [kRemoveListener](size, type, listener, capture) {}

  addEventListener(type, listener, options = {}) {
    checkTarget(this);
    if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('type', 'listener');
    // The options are read first, because reading them can be seen.
    const read = readListenerOptions(options);
    const { signal } = read;
    validateAbortSignal(signal, 'options.signal');
    if (!isListener(listener)) {
      process.emitWarning(genericNodeError(
        `addEventListener called with ${listener} which has no effect.`,
        { name: 'AddEventListenerArgumentTypeWarning', target: this, type }));
      return;
    }
    type = toText(type, 'Value');

    if (signal) {
      if (signal.aborted) return;
      signal.addEventListener('abort', () => {
        this.removeEventListener(type, listener, options);
      }, { __proto__: null, once: true, [kWeakHandler]: this, [kResistStopPropagation]: true });
    }

    let head = listOf(this, type);
    if (head === undefined) {
      head = { size: 0, next: undefined };
      (this[kEvents] ??= new Map()).set(type, head);
    }
    let last = head;
    while (last.next !== undefined) {
      last = last.next;
      if (last.matches(listener, read.capture)) return;
    }
    new Listener(this, type, last, listener, read);
    head.size++;
    this[kNewListener](head.size, type, listener, read.once, read.capture, read.passive, read.weak);
  }

  removeEventListener(type, listener, options = {}) {
    checkTarget(this);
    if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('type', 'listener');
    if (!isListener(listener)) return;
    type = toText(type, 'Value');
    const capture = options === true || options?.capture === true;

    const head = listOf(this, type);
    for (let entry = head?.next; entry !== undefined; entry = entry.next) {
      if (entry.matches(listener, capture)) {
        removeEntry(this, type, head, entry);
        return;
      }
    }
  }

  dispatchEvent(event) {
    checkTarget(this);
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('event');
    if (!(event instanceof Event)) {
      throw new codes.ERR_INVALID_ARG_TYPE('event', 'Event', event);
    }
    if (event[kIsBeingDispatched]) throw new codes.ERR_EVENT_RECURSION(event.type);
    this[kHybridDispatch](event, event.type, event);
    return event.defaultPrevented !== true;
  }

  // Runs the listeners of a type. Without an event one is made for the first listener that wants
  // it: listeners added by on() get `nodeValue` itself.
  [kHybridDispatch](nodeValue, type, event) {
    const getEvent = () => {
      if (event === undefined) {
        event = this[kCreateEvent](nodeValue, type);
        event[kTarget] = this;
        event[kIsBeingDispatched] = true;
      }
      return event;
    };
    if (event !== undefined) {
      event[kTarget] = this;
      event[kIsBeingDispatched] = true;
    }

    const head = listOf(this, type);
    let entry = head?.next;
    while (entry !== undefined) {
      // Read now: the listener may remove itself. One that is added after the last is not run any
      // more.
      const { next } = entry;
      const skipped = entry.removed ||
        (event !== undefined && event[kStop] === true && !entry.resistStopPropagation);
      if (!skipped) {
        const { callback } = entry;
        // The list stays, even if it is empty now: eventNames() shows its type.
        if (entry.once) unlinkEntry(this, type, head, entry);
        if (callback !== undefined) {
          if (entry.isNodeStyleListener) callListener(this, callback, nodeValue, false);
          else callWithEvent(this, callback, getEvent(), entry.passive);
        }
      }
      entry = next;
    }

    if (event !== undefined) event[kIsBeingDispatched] = false;
  }

  [kCreateEvent](nodeValue, type) {
    return new CustomEvent(type, { detail: nodeValue });
  }

  [kInspect](depth, options) {
    return inspectAs(this, {}, depth, options);
  }
}

// An object's method is called in an async function: what it throws is a rejection.
async function callHandler(object, argument) {
  if (object.handleEvent) await Reflect.apply(object.handleEvent, object, [argument]);
}

function callListener(target, callback, argument, isEvent) {
  try {
    const result = typeof callback === 'function' ? Reflect.apply(callback, target, [argument]) :
      callHandler(callback, argument);
    // The listeners after the first find an event that is not being dispatched, as in Node.
    if (isEvent) argument[kIsBeingDispatched] = false;
    if (result !== undefined && result !== null) {
      const { then } = result;
      if (typeof then === 'function') Reflect.apply(then, result, [undefined, throwInNextTick]);
    }
  } catch (error) {
    throwInNextTick(error);
  }
}

function callWithEvent(target, callback, event, passive) {
  if (passive) event[kInPassiveListener] = true;
  callListener(target, callback, event, true);
  if (passive) event[kInPassiveListener] = false;
}

defineEnumerable(EventTarget.prototype, 'addEventListener', 'removeEventListener', 'dispatchEvent');
defineTag(EventTarget);

// The listeners of a target, for events.getEventListeners().
function listenersOf(target, type) {
  const listeners = [];
  for (let entry = listOf(target, type)?.next; entry !== undefined; entry = entry.next) {
    const { callback } = entry;
    if (callback !== undefined) listeners.push(callback);
  }
  return listeners;
}

// ---- Targets with the methods of an EventEmitter ----

function initNodeEventTarget(target) {
  initEventTarget(target);
}

class NodeEventTarget extends EventTarget {
  static [kIsNodeEventTarget] = true;
  static defaultMaxListeners = 10;

  setMaxListeners(n) {
    checkNodeTarget(this);
    EventEmitter.setMaxListeners(n, this);
  }

  getMaxListeners() {
    checkNodeTarget(this);
    return this[kMaxEventTargetListeners];
  }

  eventNames() {
    checkNodeTarget(this);
    return this[kEvents] === undefined ? [] : Array.from(this[kEvents].keys());
  }

  listenerCount(type) {
    checkNodeTarget(this);
    return listOf(this, String(type))?.size ?? 0;
  }

  off(type, listener, options) {
    checkNodeTarget(this);
    this.removeEventListener(type, listener, options);
    return this;
  }

  removeListener(type, listener, options) {
    checkNodeTarget(this);
    this.removeEventListener(type, listener, options);
    return this;
  }

  on(type, listener) {
    checkNodeTarget(this);
    this.addEventListener(type, listener, { [kIsNodeStyleListener]: true });
    return this;
  }

  addListener(type, listener) {
    checkNodeTarget(this);
    this.addEventListener(type, listener, { [kIsNodeStyleListener]: true });
    return this;
  }

  emit(type, arg) {
    checkNodeTarget(this);
    validateString(type, 'type');
    const hadListeners = this.listenerCount(type) > 0;
    this[kHybridDispatch](arg, type);
    return hadListeners;
  }

  once(type, listener) {
    checkNodeTarget(this);
    this.addEventListener(type, listener, { once: true, [kIsNodeStyleListener]: true });
    return this;
  }

  removeAllListeners(type) {
    checkNodeTarget(this);
    if (type !== undefined) this[kEvents]?.delete(String(type));
    else this[kEvents]?.clear();
    return this;
  }
}

defineEnumerable(NodeEventTarget.prototype, 'setMaxListeners', 'getMaxListeners', 'eventNames',
  'listenerCount', 'off', 'removeListener', 'on', 'addListener', 'emit', 'once',
  'removeAllListeners');

// ---- Attributes: target.onfoo = ... ----

// A listener that keeps its position in the list, whatever function is put into it.
function makeAttributeListener(initial) {
  function listener(...args) {
    return typeof listener.handler === 'function' ?
      Reflect.apply(listener.handler, this, args) : undefined;
  }
  listener.handler = initial;
  return listener;
}

// What is neither a function nor an object counts as null, and an object is kept but not called, as on the web.
function setAttribute(target, type, value) {
  if (typeof value !== 'function' && typeof value !== 'object') value = null;
  const listener = target[kHandlers]?.get(type);
  if (listener === undefined) {
    const added = makeAttributeListener(value);
    target.addEventListener(type, added);
    (target[kHandlers] ??= new Map()).set(type, added);
    return;
  }
  if (typeof listener.handler === 'function') {
    const head = listOf(target, type);
    if (head !== undefined) {
      head.size--;
      target[kRemoveListener](head.size, type, listener.handler, false);
    }
  }
  listener.handler = value;
  if (typeof value !== 'function') return;
  const head = listOf(target, type);
  if (head === undefined) {
    target.addEventListener(type, listener); // the whole list had been removed
    return;
  }
  head.size++;
  target[kNewListener](head.size, type, value, false, false, false, false);
}

function defineEventHandler(target, name, type = name) {
  const key = `on${name}`;
  const { get, set } = Object.getOwnPropertyDescriptor({
    get [key]() {
      validateInternalField(this, kHandlers, 'EventTarget');
      return this[kHandlers]?.get(type)?.handler ?? null;
    },
    set [key](value) {
      validateInternalField(this, kHandlers, 'EventTarget');
      setAttribute(this, type, value);
    },
  }, key);
  Object.defineProperty(target, key, {
    __proto__: null, get, set, enumerable: true, configurable: true,
  });
}

module.exports = {
  CustomEvent,
  Event,
  EventTarget,
  NodeEventTarget,
  defineEventHandler,
  initEventTarget,
  initNodeEventTarget,
  isEventTarget,
  kCreateEvent,
  kEvents,
  kNewListener,
  kRemoveListener,
  kResistStopPropagation,
  kTrustEvent,
  kWeakHandler,
  listenersOf,
};
