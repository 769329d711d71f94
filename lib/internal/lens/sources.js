'use strict';
// Where a callback comes from, as the lens counts them.

const { Immediate, Timeout } = require('internal/timers');
const { SafeMap } = require('internal/util/safe');

// In the order of enum class Source in include/rondo/lens.h.
// Without `__proto__: null`, which V8 would have to look things up in.
const kSources = {
  main: 0,
  timeout: 1,
  interval: 2,
  immediate: 3,
  tick: 4,
  microtask: 5,
  file: 6,
  socket: 7,
  server: 8,
  lookup: 9,
  process: 10,
  signal: 11,
  message: 12,
  close: 13,
  other: 17,
};

// By the names of the classes of what is under way, or stays.
const kOfClass = {
  __proto__: null,
  FSReqCallback: kSources.file,
  FSReqPromise: kSources.file,
  GetAddrInfoReqWrap: kSources.lookup,
  GetNameInfoReqWrap: kSources.lookup,
  MessagePort: kSources.message,
  Pipe: kSources.socket,
  PipeConnectWrap: kSources.socket,
  Process: kSources.process,
  ShutdownWrap: kSources.socket,
  Signal: kSources.signal,
  TCP: kSources.socket,
  TCPConnectWrap: kSources.socket,
  TTY: kSources.socket,
  TickObject: kSources.tick,
  WriteWrap: kSources.socket,
};

const known = new SafeMap(); // by prototype

function find(resource, prototype) {
  const { AsyncResource } = require('async_hooks');
  const constructor = prototype === null ? undefined :
    Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  // JavaScript runs an AsyncResource, never the loop: one that is not inside a callback is inside a tick or
  // a microtask. queueMicrotask() makes them too.
  const source = resource instanceof AsyncResource ? kSources.microtask : kOfClass[constructor?.name] ?? kSources.other;
  known.set(prototype, source);
  return source;
}

// `event` is what a handle calls back for, or undefined.
function sourceOf(resource, event) {
  switch (event) {
    case undefined:
      if (resource instanceof Immediate) return kSources.immediate;
      if (resource instanceof Timeout) return resource._repeat ? kSources.interval : kSources.timeout;
      break;
    case 'data':
    case 'end':
    case 'error':
      return kSources.socket;
    case 'close':
      return kSources.close;
    case 'connection':
      return kSources.server;
  }
  if (resource === undefined) return kSources.microtask; // queueMicrotask() without an object
  const prototype = Object.getPrototypeOf(resource);
  return known.get(prototype) ?? find(resource, prototype);
}

module.exports = { kSources, sourceOf };
