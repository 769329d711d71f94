'use strict';
// The global names that are not V8's. Those that cost something are loaded when they are first used.

function define(target, name, value, enumerable) {
  Object.defineProperty(target, name, {
    __proto__: null, value, writable: true, enumerable, configurable: true,
  });
}

// The module is loaded by the first use; whoever assigns to the name before that has their way.
function defineLazily(target, name, load, enumerable = false) {
  const accessors = {
    get [name]() {
      const value = load();
      define(target, name, value, enumerable);
      return value;
    },
    set [name](value) {
      define(target, name, value, enumerable);
    },
  };
  Object.defineProperty(target, name, {
    __proto__: null, ...Object.getOwnPropertyDescriptor(accessors, name), enumerable,
  });
}

// `performance` stays an accessor.
function definePerformance(target) {
  let value;
  let isKnown = false;
  const accessors = {
    get performance() {
      if (!isKnown) accessors.performance = require('perf_hooks').performance;
      return value;
    },
    set performance(replacement) {
      value = replacement;
      isKnown = true;
    },
  };
  Object.defineProperty(target, 'performance', Object.getOwnPropertyDescriptor(accessors, 'performance'));
}

const kClasses = {
  'internal/url': ['URL', 'URLSearchParams'],
  'internal/event_target': ['Event', 'EventTarget', 'CustomEvent'],
};

const kLazyClasses = {
  'internal/abort_controller': ['AbortController', 'AbortSignal'],
  'internal/encoding': ['TextEncoder', 'TextDecoder'],
  'internal/message_channel': ['BroadcastChannel', 'MessageChannel', 'MessagePort'],
  'internal/undici': [
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
  'perf_hooks': [
    'Performance', 'PerformanceEntry', 'PerformanceMark', 'PerformanceMeasure',
    'PerformanceObserver', 'PerformanceObserverEntryList', 'PerformanceResourceTiming',
  ],
};

// undici is large: the function is there before it.
let undiciFetch;
function fetch(input, init = undefined) {
  undiciFetch ??= require('internal/undici').fetch;
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
  const timers = require('timers');
  define(target, 'clearImmediate', timers.clearImmediate, true);
  define(target, 'setImmediate', timers.setImmediate, true);
  for (const id in kClasses) {
    for (const name of kClasses[id]) define(target, name, require(id)[name], false);
  }
  for (const id in kLazyClasses) {
    for (const name of kLazyClasses[id]) defineLazily(target, name, () => require(id)[name]);
  }
  defineLazily(target, 'DOMException', () => require('internal/dom_exception'));
  for (const name of ['clearInterval', 'clearTimeout', 'setInterval', 'setTimeout']) {
    define(target, name, timers[name], true);
  }
  define(target, 'queueMicrotask', require('internal/queue_microtask').queueMicrotask, true);
  define(target, 'structuredClone', require('internal/structured_clone').structuredClone, true);
  for (const name of ['atob', 'btoa']) defineLazily(target, name, () => require('buffer')[name], true);
  define(target, 'fetch', fetch, true);
  definePerformance(target);

  // Made while the global one is still V8's, whose methods it calls as well for an inspector.
  define(target, 'console', require('internal/console/global'), false);
}

module.exports = { install };
