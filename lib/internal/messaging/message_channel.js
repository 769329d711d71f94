'use strict';
// MessageChannel, MessagePort and BroadcastChannel. The ports are made in C++, which knows the
// channels and delivers the messages; here they become event targets.

const {
  MessageChannel, MessagePort, broadcastChannel, checkMessagePort, drainMessagePort,
  isMarkedAsUntransferable: nativeIsMarkedAsUntransferable, markAsUntransferable: nativeMarkAsUntransferable,
  moveMessagePort, receiveMessageOnPort: nativeReceive, setHooks, stopMessagePort,
} = binding('messaging');
const {
  codes: { ERR_INVALID_THIS, ERR_MISSING_ARGS },
} = require('internal/errors');
const {
  EventTarget, NodeEventTarget, defineEventHandler, initNodeEventTarget,
  kCreateEvent, kNewListener, kRemoveListener,
} = require('internal/event_target');
const {
  asyncState, callForMessage, currentFrame, emitAfter, emitBefore, emitDestroy, emitKeeperInit, frame_symbol,
  getDefaultTriggerAsyncId, hasLens, lensMessageMade, lensKeepsStory, newAsyncId,
} = require('internal/async_hooks');
const { MessageEvent, MessagePortCloseEvent } = require('internal/messaging/message_event');
const { SafeWeakMap } = require('internal/util/safe');
const { create, describe, fillIn, instantiate, listTransfer } = require('internal/messaging/transferable');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kHybridDispatch = Symbol.for('nodejs.internal.kHybridDispatch');
// The ports that came with the message that is being delivered.
const kCurrentlyReceivingPorts = Symbol.for('nodejs.internal.kCurrentlyReceivingPorts');
// The channel that a port of a BroadcastChannel belongs to.
const kOwner = Symbol('kOwner');

// ---- MessagePort ----

// As they come from C++: what a program does to the prototype does not concern us.
const { close: closePort, hasRef, postMessage, ref, start, unref } = MessagePort.prototype;

Object.setPrototypeOf(MessagePort, NodeEventTarget);
Object.setPrototypeOf(MessagePort.prototype, NodeEventTarget.prototype);
for (const name of ['close', 'hasRef']) delete MessagePort.prototype[name];

// Not an assignment: the prototype may be frozen.
function defineOwn(object, key, value) {
  Object.defineProperty(object, key, {
    __proto__: null, value, writable: true, enumerable: true, configurable: true,
  });
}

// The first listener for messages starts the port and keeps the program running; when the last one
// is gone, messages wait for the next. The listeners are those of `emitter`: the port, or a Worker.
function setUpReferencing(port, emitter = port) {
  function added(countBefore) {
    if (countBefore !== 0) return;
    ref.call(port);
    start.call(port);
  }
  function removed(countAfter) {
    if (countAfter !== 0) return;
    unref.call(port);
    stopMessagePort(port);
  }
  emitter.on('newListener', (name) => {
    if (name === 'message') added(emitter.listenerCount(name));
  });
  emitter.on('removeListener', (name) => {
    if (name === 'message') removed(emitter.listenerCount(name));
  });
  if (emitter !== port) return;
  const inheritedAdded = port[kNewListener];
  defineOwn(port, kNewListener, function(size, type, ...rest) {
    if (type === 'message') added(size - 1);
    return Reflect.apply(inheritedAdded, this, [size, type, ...rest]);
  });
  const inheritedRemoved = port[kRemoveListener];
  defineOwn(port, kRemoveListener, function(size, type, ...rest) {
    if (type === 'message') removed(size);
    return Reflect.apply(inheritedRemoved, this, [size, type, ...rest]);
  });
}

function nameless(fn) {
  return Object.defineProperty(fn, 'name', { __proto__: null, value: '', configurable: true });
}

Object.defineProperties(MessagePort.prototype, {
  hasRef: {
    __proto__: null,
    writable: true,
    enumerable: true,
    configurable: true,
    value: nameless({ hasRef() { return Boolean(hasRef.call(this)); } }.hasRef),
  },
  [kCreateEvent]: {
    __proto__: null,
    value(data, type) {
      if (type !== 'message' && type !== 'messageerror') {
        return Reflect.apply(NodeEventTarget.prototype[kCreateEvent], this, [data, type]);
      }
      const ports = this[kCurrentlyReceivingPorts];
      this[kCurrentlyReceivingPorts] = undefined;
      return new MessageEvent(type, { data, ports });
    },
  },
  [kInspect]: {
    __proto__: null,
    value: function inspect() {
      let refed;
      try {
        refed = hasRef.call(this);
      } catch {
        return this; // the prototype itself
      }
      const state = refed === undefined ? { active: false } : { active: true, refed };
      return Object.assign({ __proto__: MessagePort.prototype }, state, this);
    },
  },
});
defineEventHandler(MessagePort.prototype, 'message');
defineEventHandler(MessagePort.prototype, 'messageerror');
Object.defineProperty(MessagePort.prototype, 'close', {
  __proto__: null,
  writable: true,
  enumerable: true,
  configurable: true,
  value: nameless({
    close(cb) {
      if (typeof cb === 'function') this.once('close', cb);
      closePort.call(this);
    },
  }.close),
});

// ---- For C++ ----

// The ids by which async_hooks know a port: its own, and that of what made it.
const kAsyncIds = Symbol('kAsyncIds');

function initializePort(port) {
  const ids = [newAsyncId(), getDefaultTriggerAsyncId()];
  Object.defineProperty(port, kAsyncIds, { __proto__: null, value: ids });
  // What a port receives is handled with the stores of AsyncLocalStorage that were current when it was made.
  if (asyncState.framesInUse) Object.defineProperty(port, frame_symbol, { __proto__: null, value: currentFrame() });
  if (asyncState.keepersObserved) emitKeeperInit(ids[0], 'MESSAGEPORT', ids[1], port);
  initNodeEventTarget(port);
  setUpReferencing(port);
  port[kCurrentlyReceivingPorts] = undefined;
}

function dispatch(port, data, ports, type) {
  const channel = port[kOwner];
  if (channel !== undefined) {
    // What comes after it was closed is not for it any more.
    if (isOpen(channel)) channel.dispatchEvent(new MessageEvent(type, { data }));
    return;
  }
  port[kCurrentlyReceivingPorts] = ports;
  try {
    port[kHybridDispatch](data, type, undefined);
  } finally {
    port[kCurrentlyReceivingPorts] = undefined;
  }
}

// A port of a context of node:vm -> { ids, frame, emit }. It has no properties of ours.
const movedPorts = new SafeWeakMap();

function initializeMovedPort(port, emit) {
  const ids = [newAsyncId(), getDefaultTriggerAsyncId()];
  movedPorts.set(port, { ids, emit });
  if (asyncState.framesInUse) Object.defineProperty(port, frame_symbol, { __proto__: null, value: currentFrame() });
  if (asyncState.keepersObserved) emitKeeperInit(ids[0], 'MESSAGEPORT', ids[1], port);
}

function emitToMoved(port, data, ports, type, origin) {
  const { ids: [id, trigger], emit } = movedPorts.get(port);
  emitBefore(id, trigger, port, 'message');
  if (origin === undefined) emit(port, data, ports, type);
  else callForOrigin(origin, () => emit(port, data, ports, type));
  emitAfter(id);
}

// ---- Messages as the lens follows them ----

// While a lens records, each message has a number from the thread of the lens. In other threads the number follows
// everything that the message causes, and enters the messages that they send: AsyncLocalStorage carries it.
let originStorage;

function originOfMessage() {
  return lensKeepsStory() ? lensMessageMade() : originStorage?.getStore() ?? 0;
}

function callForOrigin(origin, callback) {
  if (hasLens()) return callForMessage(origin, callback);
  originStorage ??= new (require('async_hooks').AsyncLocalStorage)();
  return originStorage.run(origin, callback);
}

// What a context has of messaging: `compiled` and DOMException are files of lib/, as functions of that context.
function setUpContext(compiled, compiledDOMException) {
  const exports = {};
  compiled(exports, require, { exports }, process, binding, undefined, undefined, capturedStatics);
  const own = { exports: {} };
  compiledDOMException(own.exports, require, own, process, binding, undefined, undefined, capturedStatics);
  exports.DOMException = own.exports;
  return exports;
}

// `origin` is undefined unless a lens follows messages.
function emitMessage(data, ports, type, origin) {
  const ids = this[kAsyncIds];
  if (ids === undefined) return emitToMoved(this, data, ports, type, origin);
  const [id, trigger] = ids;
  emitBefore(id, trigger, this, 'message');
  if (origin === undefined) dispatch(this, data, ports, type);
  else callForOrigin(origin, () => dispatch(this, data, ports, type));
  emitAfter(id);
}

function emitClose() {
  const ids = this[kAsyncIds];
  if (ids === undefined) return emitDestroy(movedPorts.get(this).ids[0]);
  const [id, trigger] = ids;
  emitBefore(id, trigger, this, 'close');
  if (this[kOwner] === undefined) this.dispatchEvent(new MessagePortCloseEvent());
  emitAfter(id);
  emitDestroy(id);
}

// A list of what an iterable gives; undefined for what is not iterable.
function readIterable(value) {
  const method = value[Symbol.iterator];
  if (typeof method !== 'function') return undefined;
  const iterator = Reflect.apply(method, value, []);
  if (iterator === null || typeof iterator !== 'object') return undefined;
  const { next } = iterator;
  if (typeof next !== 'function') return undefined;
  const list = [];
  while (true) {
    const result = Reflect.apply(next, iterator, []);
    if (result === null || typeof result !== 'object') return undefined;
    if (result.done) return list;
    list.push(result.value);
  }
}

function emitWarning(message) {
  process.emitWarning(message);
}

setHooks({
  __proto__: null,
  MessagePort,
  DOMException: require('internal/errors/dom_exception'),
  classOfBinding: (module, name) => binding(module)[name],
  create,
  describe,
  emitClose,
  emitMessage,
  emitWarning,
  fillIn,
  initializeMovedPort,
  initializePort,
  instantiate,
  listTransfer,
  // The classes of keys and certificates that came with a message.
  loadCrypto: () => require('internal/crypto/x509'),
  originOfMessage,
  readIterable,
  setUpContext,
});

// ---- For worker_threads ----

function throwWithCode(Type, code, message) {
  const error = new Type(message);
  error.code = code;
  throw error;
}

function checkPort(port) {
  if (checkMessagePort(port)) return;
  throwWithCode(TypeError, 'ERR_INVALID_ARG_TYPE', 'The "port" argument must be a MessagePort instance');
}

function moveMessagePortToContext(...args) {
  const { 0: port, 1: sandbox } = args;
  checkPort(port);
  const moved = moveMessagePort(port, sandbox);
  if (moved === null) throwWithCode(TypeError, 'ERR_INVALID_ARG_TYPE', 'Invalid context argument');
  if (moved === undefined) throwWithCode(Error, 'ERR_CLOSED_MESSAGE_PORT', 'Cannot send data on closed MessagePort');
  return moved;
}

function receiveMessageOnPort(port) {
  port = port?.[kHandle] ?? port;
  checkPort(port);
  const received = nativeReceive(port);
  return received === undefined ? undefined : { message: received[0] };
}

function isObject(value) {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function markAsUntransferable(obj) {
  // What is not an object cannot be transferred anyway.
  if (isObject(obj)) nativeMarkAsUntransferable(obj);
}

function isMarkedAsUntransferable(obj) {
  return isObject(obj) && nativeIsMarkedAsUntransferable(obj);
}

// ---- BroadcastChannel ----

const kName = Symbol('kName');
const kHandle = Symbol('kHandle');
const kType = Symbol('kType');

function checkChannel(value) {
  if (value?.[kType] !== 'BroadcastChannel') throw new ERR_INVALID_THIS('BroadcastChannel');
}

function isOpen(channel) {
  return channel[kHandle] !== undefined;
}

class BroadcastChannel extends EventTarget {
  constructor(name) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('name');
    super();
    this[kType] = 'BroadcastChannel';
    this[kName] = `${name}`;
    this[kHandle] = broadcastChannel(this[kName]);
    this[kHandle][kOwner] = this;
    ref.call(this[kHandle]);
    start.call(this[kHandle]);
  }

  [kInspect](depth, options) {
    checkChannel(this);
    if (depth < 0) return 'BroadcastChannel';
    const { inspect } = require('internal/util/inspect');
    return `BroadcastChannel ${inspect({
      name: this[kName],
      active: isOpen(this),
    }, {
      ...options,
      depth: options.depth == null ? null : options.depth - 1,
    })}`;
  }

  get name() {
    checkChannel(this);
    return this[kName];
  }

  close() {
    checkChannel(this);
    if (!isOpen(this)) return;
    closePort.call(this[kHandle]);
    this[kHandle] = undefined;
  }

  postMessage(message) {
    checkChannel(this);
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('message');
    if (!isOpen(this)) {
      const DOMException = require('internal/errors/dom_exception');
      throw new DOMException('BroadcastChannel is closed.', 'InvalidStateError');
    }
    postMessage.call(this[kHandle], message);
  }

  ref() {
    checkChannel(this);
    if (isOpen(this)) ref.call(this[kHandle]);
    return this;
  }

  unref() {
    checkChannel(this);
    if (isOpen(this)) unref.call(this[kHandle]);
    return this;
  }
}

for (const name of ['name', 'close', 'postMessage']) {
  Object.defineProperty(BroadcastChannel.prototype, name, { __proto__: null, enumerable: true });
}
defineEventHandler(BroadcastChannel.prototype, 'message');
defineEventHandler(BroadcastChannel.prototype, 'messageerror');

// Whether it keeps the program alive.
function isRefed(port) {
  return Boolean(hasRef.call(port));
}

module.exports = {
  BroadcastChannel, MessageChannel, MessageEvent, MessagePort, drainMessagePort, isMarkedAsUntransferable, isRefed,
  markAsUntransferable, moveMessagePortToContext, receiveMessageOnPort, setUpReferencing,
};
