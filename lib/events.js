'use strict';
// node:events.
//
// An emitter keeps its listeners in `_events`: the name of an event -> one function, or an array of
// at least two. Programs look at these fields and subclasses fill them in, so they are as in Node.
//
// emit() must not notice listeners that are added or removed while it runs. Instead of copying the
// array for every emit, an array counts the emits that are walking through it (ListenerList), and
// an array that is being iterated is changed by replacing it with a copy.

const { codes, genericNodeError, kEnhanceStackBeforeInspector } = require('internal/errors');
const { addAbortListener, on, once } = require('internal/events/promises');
const { validateBoolean, validateFunction, validateNumber } = require('internal/validators');

const { apply } = Reflect;
// call(f, self, ...args) is f.call(self, ...args), whatever properties f has.
const call = Function.prototype.call.bind(Function.prototype.call);

const kCapture = Symbol('kCapture');
// True if a subclass made `_events` itself, with all its usual keys: those are never deleted, so
// that the objects keep one shape.
const kShapeMode = Symbol('shapeMode');
const kErrorMonitor = Symbol('events.errorMonitor');
const kRejection = Symbol.for('nodejs.rejection');
const kMaxEventTargetListeners = Symbol('events.maxEventTargetListeners');
const kMaxEventTargetListenersWarned = Symbol('events.maxEventTargetListenersWarned');
const kIsEventTarget = Symbol.for('nodejs.event_target');

let defaultMaxListeners = 10;

function inspect(value, options) {
  return require('internal/util/inspect').inspect(value, options);
}

// ---- Lists of listeners ----

class Given {
  constructor(object) {
    return object;
  }
}

// Adds a hidden count to an ordinary array. An exception thrown by a listener
// leaves the count too high; the price is one copy, made by the next change of the list.
class ListenerList extends Given {
  #emitsUnderWay = 0;

  static enter(list) {
    if (#emitsUnderWay in list) {
      list.#emitsUnderWay++;
    } else {
      new ListenerList(list).#emitsUnderWay = 1;
    }
  }

  static leave(list) {
    list.#emitsUnderWay--;
  }

  // The list itself if it may be changed in place, else a copy.
  static writable(list) {
    if (!(#emitsUnderWay in list) || list.#emitsUnderWay === 0) return list;
    const copy = list.slice();
    if (list.warned) copy.warned = true;
    return new ListenerList(copy);
  }
}

// Without a prototype, as `{ __proto__: null }`, but with fast properties: V8 gives such a literal
// the slow kind, and emit() would pay for it.
function createEvents() {
  return Object.setPrototypeOf({}, null);
}

// ---- The class ----

function EventEmitter(options) {
  apply(EventEmitter.init, this, [options]);
}

module.exports = EventEmitter;
EventEmitter.addAbortListener = addAbortListener;
EventEmitter.once = once;
EventEmitter.on = on;
EventEmitter.getEventListeners = getEventListeners;
EventEmitter.getMaxListeners = getMaxListeners;
EventEmitter.listenerCount = listenerCount;
EventEmitter.EventEmitter = EventEmitter;
EventEmitter.usingDomains = false;
EventEmitter.captureRejectionSymbol = kRejection;

Object.defineProperty(EventEmitter, 'captureRejections', {
  __proto__: null,
  get() {
    return EventEmitter.prototype[kCapture];
  },
  set(value) {
    validateBoolean(value, 'EventEmitter.captureRejections');
    EventEmitter.prototype[kCapture] = value;
  },
  enumerable: true,
});

Object.defineProperty(EventEmitter, 'EventEmitterAsyncResource', {
  __proto__: null,
  get: function lazyEventEmitterAsyncResource() {
    return require('internal/events/event_emitter_async_resource');
  },
  set: undefined,
  enumerable: true,
  configurable: true,
});

EventEmitter.errorMonitor = kErrorMonitor;

Object.defineProperty(EventEmitter.prototype, kCapture, {
  __proto__: null, value: false, writable: true, enumerable: false,
});

EventEmitter.prototype._events = undefined;
EventEmitter.prototype._eventsCount = 0;
EventEmitter.prototype._maxListeners = undefined;

Object.defineProperty(EventEmitter, 'defaultMaxListeners', {
  __proto__: null,
  get() {
    return defaultMaxListeners;
  },
  set(value) {
    validateNumber(value, 'defaultMaxListeners', 0);
    defaultMaxListeners = value;
  },
  enumerable: true,
});

Object.defineProperties(EventEmitter, {
  kMaxEventTargetListeners: { __proto__: null, value: kMaxEventTargetListeners },
  kMaxEventTargetListenersWarned: { __proto__: null, value: kMaxEventTargetListenersWarned },
});

EventEmitter.setMaxListeners = function (n = defaultMaxListeners, ...eventTargets) {
  validateNumber(n, 'setMaxListeners', 0);
  if (eventTargets.length === 0) {
    defaultMaxListeners = n;
    return;
  }
  for (const target of eventTargets) {
    if (isEventTarget(target)) {
      target[kMaxEventTargetListeners] = n;
      target[kMaxEventTargetListenersWarned] = false;
    } else if (typeof target.setMaxListeners === 'function') {
      target.setMaxListeners(n);
    } else {
      throw new codes.ERR_INVALID_ARG_TYPE('eventTargets', ['EventEmitter', 'EventTarget'], target);
    }
  }
};

// Sets the fields of an emitter up. A property, and called as such, because programs replace it.
EventEmitter.init = function (options) {
  if (this._events === undefined || this._events === Object.getPrototypeOf(this)._events) {
    this._events = createEvents();
    this._eventsCount = 0;
    this._maxListeners = this._maxListeners || undefined;
    this[kShapeMode] = false;
  } else {
    this._maxListeners = this._maxListeners || undefined;
    this[kShapeMode] = true;
  }
  if (options?.captureRejections) {
    validateBoolean(options.captureRejections, 'options.captureRejections');
    this[kCapture] = true;
  } else {
    this[kCapture] = EventEmitter.prototype[kCapture];
  }
};

// ---- Limits ----

EventEmitter.prototype.setMaxListeners = function setMaxListeners(n) {
  validateNumber(n, 'setMaxListeners', 0);
  this._maxListeners = n;
  return this;
};

function maxListenersOf(emitter) {
  return emitter._maxListeners === undefined ? defaultMaxListeners : emitter._maxListeners;
}

EventEmitter.prototype.getMaxListeners = function getMaxListeners() {
  return maxListenersOf(this);
};

function warnAboutLeak(emitter, type, list, limit) {
  list.warned = true;
  const message = `Possible EventEmitter memory leak detected. ${list.length} ${String(type)} ` +
    `listeners added to ${inspect(emitter, { depth: -1 })}. MaxListeners is ${limit}. ` +
    'Use emitter.setMaxListeners() to increase limit';
  process.emitWarning(genericNodeError(message, {
    name: 'MaxListenersExceededWarning', emitter, type, count: list.length,
  }));
}

// ---- Emitting ----

// Short enough for V8 to inline it into its caller, listener and all: that is half of its speed.
// For the same reason `args` is only spread or applied, never handed on as an array: then V8 need
// not make one.
EventEmitter.prototype.emit = function emit(type, ...args) {
  const events = this._events;
  if (type === 'error') {
    if (events?.[kErrorMonitor] !== undefined) this.emit(kErrorMonitor, ...args);
    if (events?.error === undefined) {
      const er = unhandledError(this, args[0], emit);
      throw er; // Unhandled 'error' event
    }
  }
  const handler = events?.[type];
  if (handler === undefined) return false;
  if (this[kCapture]) return emitCapturingRejections(this, type, handler, ...args);

  if (typeof handler === 'function') {
    apply(handler, this, args);
    return true;
  }

  const { length } = handler;
  ListenerList.enter(handler);
  switch (args.length) {
    case 0:
      for (let i = 0; i < length; ++i) call(handler[i], this);
      break;
    case 1:
      for (let i = 0; i < length; ++i) call(handler[i], this, args[0]);
      break;
    case 2:
      for (let i = 0; i < length; ++i) call(handler[i], this, args[0], args[1]);
      break;
    default:
      for (let i = 0; i < length; ++i) apply(handler[i], this, args);
  }
  ListenerList.leave(handler);
  return true;
};

// What emit('error', ...) throws without a listener.
function unhandledError(emitter, value, emit) {
  if (value instanceof Error) {
    try {
      const capture = {};
      Error.captureStackTrace(capture, emit);
      Object.defineProperty(value, kEnhanceStackBeforeInspector, {
        __proto__: null, value: enhanceStackTrace.bind(emitter, value, capture), configurable: true,
      });
    } catch {
      // A frozen error is thrown as it is.
    }
    return value;
  }
  let description;
  try {
    description = inspect(value);
  } catch {
    description = value;
  }
  const error = new codes.ERR_UNHANDLED_ERROR(description);
  error.context = value;
  return error;
}

// The stack of an unhandled error, and where it was emitted.
function enhanceStackTrace(error, capture) {
  let emitter = '';
  try {
    const { name } = this.constructor;
    if (name !== 'EventEmitter') emitter = ` on ${name} instance`;
  } catch {
    // A constructor that cannot be asked is not named.
  }
  const frames = capture.stack.split('\n').slice(1);
  return `${error.stack}\nEmitted 'error' event${emitter} at:\n${frames.join('\n')}`;
}

// ---- Rejections of async listeners ----

function emitCapturingRejections(emitter, type, handler, ...args) {
  const listeners = typeof handler === 'function' ? [handler] : handler.slice();
  for (const listener of listeners) {
    const result = apply(listener, emitter, args);
    if (result !== undefined && result !== null) catchRejection(emitter, result, type, args);
  }
  return true;
}

function catchRejection(emitter, result, type, args) {
  if (!emitter[kCapture]) return;
  try {
    const { then } = result;
    if (typeof then !== 'function') return;
    call(then, result, undefined, (error) => {
      // Out of the promise's job: what a handler throws is an exception, not a rejection.
      process.nextTick(deliverRejection, emitter, error, type, args);
    });
  } catch (error) {
    emitter.emit('error', error);
  }
}

function deliverRejection(emitter, error, type, args) {
  if (typeof emitter[kRejection] === 'function') {
    emitter[kRejection](error, type, ...args);
    return;
  }
  // An 'error' listener that rejects as well would never end.
  const previous = emitter[kCapture];
  try {
    emitter[kCapture] = false;
    emitter.emit('error', error);
  } finally {
    emitter[kCapture] = previous;
  }
}

// ---- Adding ----

// This function and the next are named as in Node: their names are in the stack of the error.
function checkListener(listener) {
  validateFunction(listener, 'listener');
}

function _addListener(emitter, type, listener, prepend) {
  checkListener(listener);
  let events = emitter._events;
  let existing;
  if (events === undefined) {
    events = emitter._events = createEvents();
    emitter._eventsCount = 0;
  } else {
    // Before adding, so that a listener of 'newListener' can put itself first.
    if (events.newListener !== undefined) {
      emitter.emit('newListener', type, listener.listener ?? listener);
      events = emitter._events;
    }
    existing = events[type];
  }

  if (existing === undefined) {
    events[type] = listener;
    ++emitter._eventsCount;
    return emitter;
  }
  let list;
  if (typeof existing === 'function') {
    list = new ListenerList(prepend ? [listener, existing] : [existing, listener]);
  } else {
    list = ListenerList.writable(existing);
    if (prepend) list.unshift(listener);
    else list.push(listener);
  }
  if (list !== existing) events[type] = list;

  const limit = maxListenersOf(emitter);
  if (limit > 0 && list.length > limit && !list.warned) warnAboutLeak(emitter, type, list, limit);
  return emitter;
}

EventEmitter.prototype.addListener = function addListener(type, listener) {
  return _addListener(this, type, listener, false);
};

EventEmitter.prototype.on = EventEmitter.prototype.addListener;

EventEmitter.prototype.prependListener = function prependListener(type, listener) {
  return _addListener(this, type, listener, true);
};

function wrapOnce(target, type, listener) {
  let fired = false;
  function wrapper(...args) {
    if (fired) return undefined;
    fired = true;
    target.removeListener(type, wrapper);
    return apply(listener, target, args);
  }
  wrapper.listener = listener;
  return wrapper;
}

EventEmitter.prototype.once = function once(type, listener) {
  checkListener(listener);
  this.on(type, wrapOnce(this, type, listener));
  return this;
};

EventEmitter.prototype.prependOnceListener = function prependOnceListener(type, listener) {
  checkListener(listener);
  this.prependListener(type, wrapOnce(this, type, listener));
  return this;
};

// ---- Removing ----

EventEmitter.prototype.removeListener = function removeListener(type, listener) {
  checkListener(listener);
  const events = this._events;
  const existing = events?.[type];
  if (existing === undefined) return this;

  if (existing === listener || existing.listener === listener) {
    this._eventsCount -= 1;
    if (this[kShapeMode]) {
      events[type] = undefined;
    } else if (this._eventsCount === 0) {
      this._events = createEvents();
    } else {
      delete events[type];
    }
    if (events.removeListener !== undefined) {
      this.emit('removeListener', type, existing.listener || listener);
    }
  } else if (typeof existing !== 'function') {
    // The one added last goes first.
    let position = existing.length - 1;
    while (position >= 0 && existing[position] !== listener &&
           existing[position].listener !== listener) --position;
    if (position < 0) return this;

    const list = ListenerList.writable(existing);
    if (position === 0) list.shift();
    else if (position === list.length - 1) list.pop();
    else list.splice(position, 1);
    if (list.length === 1) events[type] = list[0];
    else if (list !== existing) events[type] = list;
    if (events.removeListener !== undefined) this.emit('removeListener', type, listener);
  }
  return this;
};

EventEmitter.prototype.off = EventEmitter.prototype.removeListener;

EventEmitter.prototype.removeAllListeners = function removeAllListeners(type) {
  const events = this._events;
  if (events === undefined) return this;

  if (events.removeListener === undefined) {
    // Not each of them is wanted.
    if (arguments.length === 0) {
      this._events = createEvents();
      this._eventsCount = 0;
    } else if (events[type] !== undefined) {
      if (--this._eventsCount === 0) this._events = createEvents();
      else delete events[type];
    }
    this[kShapeMode] = false;
    return this;
  }

  if (arguments.length === 0) {
    for (const key of Reflect.ownKeys(events)) {
      if (key !== 'removeListener') this.removeAllListeners(key);
    }
    this.removeAllListeners('removeListener');
    this._events = createEvents();
    this._eventsCount = 0;
    this[kShapeMode] = false;
    return this;
  }

  const listeners = events[type];
  if (typeof listeners === 'function') {
    this.removeListener(type, listeners);
  } else if (listeners !== undefined) {
    // Of the list itself: what a listener of 'removeListener' changes in it counts.
    for (let i = listeners.length - 1; i >= 0; --i) this.removeListener(type, listeners[i]);
  }
  return this;
};

// ---- Asking ----

function unwrap(listener) {
  return listener.listener || listener;
}

function listenersOf(emitter, type) {
  const listeners = emitter._events?.[type];
  if (listeners === undefined) return [];
  return typeof listeners === 'function' ? [listeners] : listeners.slice();
}

EventEmitter.prototype.listeners = function listeners(type) {
  return listenersOf(this, type).map(unwrap);
};

EventEmitter.prototype.rawListeners = function rawListeners(type) {
  return listenersOf(this, type);
};

EventEmitter.prototype.listenerCount = function listenerCount(type, listener) {
  const listeners = this._events?.[type];
  if (listeners === undefined) return 0;
  if (typeof listeners === 'function') {
    return listener == null || listeners === listener || listeners.listener === listener ? 1 : 0;
  }
  if (listener == null) return listeners.length;
  let count = 0;
  for (const each of listeners) {
    if (each === listener || each.listener === listener) ++count;
  }
  return count;
};

EventEmitter.prototype.eventNames = function eventNames() {
  if (!(this._eventsCount > 0)) return [];
  return Reflect.ownKeys(this._events).filter((key) => this._events[key] !== undefined);
};

function isEventTarget(value) {
  return value?.constructor?.[kIsEventTarget] === true;
}

function getEventListeners(emitterOrTarget, type) {
  if (typeof emitterOrTarget.listeners === 'function') return emitterOrTarget.listeners(type);
  if (isEventTarget(emitterOrTarget)) {
    return require('internal/event_target').listenersOf(emitterOrTarget, type);
  }
  throw new codes.ERR_INVALID_ARG_TYPE('emitter', ['EventEmitter', 'EventTarget'], emitterOrTarget);
}

function listenerCount(emitterOrTarget, type) {
  if (typeof emitterOrTarget.listenerCount === 'function') return emitterOrTarget.listenerCount(type);
  if (isEventTarget(emitterOrTarget)) {
    return require('internal/event_target').listenersOf(emitterOrTarget, type).length;
  }
  throw new codes.ERR_INVALID_ARG_TYPE('emitter', ['EventEmitter', 'EventTarget'], emitterOrTarget);
}

function getMaxListeners(emitterOrTarget) {
  if (typeof emitterOrTarget?.getMaxListeners === 'function') {
    return maxListenersOf(emitterOrTarget);
  }
  if (typeof emitterOrTarget?.[kMaxEventTargetListeners] === 'number') {
    return emitterOrTarget[kMaxEventTargetListeners];
  }
  throw new codes.ERR_INVALID_ARG_TYPE('emitter', ['EventEmitter', 'EventTarget'], emitterOrTarget);
}
