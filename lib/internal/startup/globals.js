'use strict';
// The global names that are not V8's. Those that cost something are loaded when they are first used.

const { defineLazyProperties, setLazyLoader } = binding('util');

function define(target, name, value, enumerable) {
  Object.defineProperty(target, name, {
    __proto__: null, value, writable: true, enumerable, configurable: true,
  });
}

// These stay accessors. An assignment replaces the value.
function defineReplaceable(target, name, load, { writable = true, enumerable = true } = {}) {
  let value;
  let isKnown = false;
  const accessors = {
    get [name]() {
      if (!isKnown) accessors[name] = load();
      return value;
    },
    set [name](replacement) {
      value = replacement;
      isKnown = true;
    },
  };
  const descriptor = Object.getOwnPropertyDescriptor(accessors, name);
  if (!writable) descriptor.set = undefined;
  descriptor.enumerable = enumerable;
  Object.defineProperty(target, name, descriptor);
}

// Asked for without a file, it is undefined, and warns.
function defineLocalStorage(target) {
  let value;
  Object.defineProperty(target, 'localStorage', {
    __proto__: null,
    get() { return value ??= require('internal/web/webstorage').localStorage; },
    set(replacement) { value = replacement; },
    enumerable: false,
    configurable: true,
  });
}

// Cannot be replaced, and is of the global object only.
function defineCrypto(target) {
  const accessors = {
    get crypto() {
      if (this !== target && this !== undefined && this !== null) {
        const { ERR_INVALID_THIS } = require('internal/errors').codes;
        throw new ERR_INVALID_THIS('nullish or must be the global object');
      }
      return require('internal/crypto/webcrypto').crypto;
    },
  };
  Object.defineProperty(target, 'crypto', {
    __proto__: null, ...Object.getOwnPropertyDescriptor(accessors, 'crypto'), set: undefined,
  });
}

const kClasses = {
  'internal/url': ['URL', 'URLSearchParams'],
  'internal/event_target': ['Event', 'EventTarget', 'CustomEvent'],
};

const kLazyClasses = {
  'internal/abort_controller': ['AbortController', 'AbortSignal'],
  'internal/errors/dom_exception': ['DOMException'],
  'internal/crypto/webcrypto': ['Crypto', 'CryptoKey', 'SubtleCrypto'],
  'internal/encoding': ['TextEncoder', 'TextDecoder'],
  'internal/messaging/message_channel': ['BroadcastChannel', 'MessageChannel', 'MessagePort'],
  'internal/web/undici': [
    'CloseEvent', 'ErrorEvent', 'FormData', 'Headers', 'MessageEvent', 'Request', 'Response', 'WebSocket',
  ],
  'internal/webstreams/compression': ['CompressionStream', 'DecompressionStream'],
  'internal/webstreams/encoding': ['TextDecoderStream', 'TextEncoderStream'],
  'internal/webstreams/queuingstrategies': ['ByteLengthQueuingStrategy', 'CountQueuingStrategy'],
  'internal/webstreams/readablestream': [
    'ReadableByteStreamController', 'ReadableStream', 'ReadableStreamBYOBReader', 'ReadableStreamBYOBRequest',
    'ReadableStreamDefaultController', 'ReadableStreamDefaultReader',
  ],
  'internal/webstreams/transformstream': ['TransformStream', 'TransformStreamDefaultController'],
  'internal/webstreams/writablestream': [
    'WritableStream', 'WritableStreamDefaultController', 'WritableStreamDefaultWriter',
  ],
  'buffer': ['Blob', 'File'],
  'internal/web/navigator': ['Navigator'],
  'internal/errors/quota_exceeded_error': ['QuotaExceededError'],
  'internal/url/pattern': ['URLPattern'],
  'internal/web/webstorage': ['Storage'],
  'perf_hooks': [
    'Performance', 'PerformanceEntry', 'PerformanceMark', 'PerformanceMeasure',
    'PerformanceObserver', 'PerformanceObserverEntryList', 'PerformanceResourceTiming',
  ],
};

// undici is large: the function is there before it.
let undiciFetch;
function fetch(input, init = undefined) {
  undiciFetch ??= require('internal/web/undici').fetch;
  return undiciFetch(input, init);
}

function install(target) {
  Object.defineProperty(target, Symbol.toStringTag, {
    __proto__: null, value: 'global', configurable: true,
  });
  define(target, 'global', target, true);
  let currentProcess = process;
  Object.defineProperty(target, 'process', {
    __proto__: null,
    get() { return currentProcess; },
    set(value) { currentProcess = value; },
    enumerable: false,
    configurable: true,
  });
  const { Buffer } = require('buffer');
  let currentBuffer = Buffer;
  Object.defineProperty(target, 'Buffer', {
    __proto__: null,
    get() { return currentBuffer; },
    set(value) { currentBuffer = value; },
    enumerable: false,
    configurable: true,
  });

  require('internal/errors').setUpStackTraces();
  setLazyLoader((id, name) => {
    const exports = require(id);
    // A module may be a class itself.
    return typeof exports === 'function' && exports.name === name ? exports : exports[name];
  });
  binding('wasm_streaming').setReader((compilation, source) => {
    require('internal/web/wasm_streaming')(compilation, source);
  });
  const timers = require('timers');
  define(target, 'clearImmediate', timers.clearImmediate, true);
  define(target, 'setImmediate', timers.setImmediate, true);
  for (const id in kClasses) {
    for (const name of kClasses[id]) define(target, name, require(id)[name], false);
  }
  for (const id in kLazyClasses) {
    defineLazyProperties(target, kLazyClasses[id], id, false);
  }
  for (const name of ['clearInterval', 'clearTimeout', 'setInterval', 'setTimeout']) {
    define(target, name, timers[name], true);
  }
  define(target, 'queueMicrotask', require('internal/async/queue_microtask').queueMicrotask, true);
  define(target, 'structuredClone', require('internal/messaging/structured_clone').structuredClone, true);
  defineLazyProperties(target, ['atob', 'btoa'], 'buffer', true);
  define(target, 'fetch', fetch, true);
  defineCrypto(target);
  defineReplaceable(target, 'performance', () => require('perf_hooks').performance);
  defineReplaceable(target, 'navigator', () => require('internal/web/navigator').navigator, { writable: false });
  // Node's own tests look at process.versions.sqlite to know whether it is to be seen.
  defineReplaceable(target, 'sessionStorage', () => require('internal/web/webstorage').sessionStorage,
    { enumerable: process.versions.sqlite !== undefined });
  defineLocalStorage(target);

  // Made while the global one is still V8's, whose methods it calls as well for an inspector.
  define(target, 'console', require('internal/console/global'), false);
}

// Those that options add or take away.
const kOptional = {
  '--experimental-global-navigator': ['navigator', 'Navigator'],
  '--experimental-websocket': ['WebSocket', 'CloseEvent'],
  '--experimental-webstorage': ['Storage', 'localStorage', 'sessionStorage'],
};

// At each start.
function adjust(target, options) {
  if (options['--experimental-eventsource'] === true) {
    defineLazyProperties(target, ['EventSource'], 'internal/web/undici', false);
  }
  if (options['--localstorage-file'] !== undefined) {
    Object.defineProperty(target, 'localStorage', { __proto__: null, enumerable: true });
  }
  for (const option in kOptional) {
    if (options[option] !== false) continue;
    for (const name of kOptional[option]) delete target[name];
  }
}

module.exports = { adjust, install };
