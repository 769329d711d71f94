'use strict';
// Where a callback comes from, as the lens counts them.

const { Source } = require('internal/native/enums');
const { Immediate, Timeout } = require('internal/timers');
const { SafeMap } = require('internal/util/safe');

// By the names of the classes of requests and handles.
const kOfClass = {
  __proto__: null,
  FSReqCallback: Source.file,
  FSReqPromise: Source.file,
  GetAddrInfoReqWrap: Source.lookup,
  GetNameInfoReqWrap: Source.lookup,
  MessagePort: Source.message,
  Pipe: Source.socket,
  PipeConnectWrap: Source.socket,
  Process: Source.process,
  ShutdownWrap: Source.socket,
  Signal: Source.signal,
  TCP: Source.socket,
  TCPConnectWrap: Source.socket,
  TTY: Source.socket,
  TickObject: Source.tick,
  WriteWrap: Source.socket,
};

const known = new SafeMap(); // by prototype

function find(resource, prototype) {
  const { AsyncResource } = require('async_hooks');
  const constructor = prototype === null ? undefined :
    Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  // JavaScript runs an AsyncResource, never the loop: one that is not inside a callback is inside a tick or
  // a microtask. queueMicrotask() makes them too.
  const source = resource instanceof AsyncResource ? Source.microtask : kOfClass[constructor?.name] ?? Source.other;
  known.set(prototype, source);
  return source;
}

// `event` is what a handle calls back for, or undefined.
function sourceOf(resource, event) {
  switch (event) {
    case undefined:
      if (resource instanceof Immediate) return Source.immediate;
      if (resource instanceof Timeout) return resource._repeat ? Source.interval : Source.timeout;
      break;
    case 'data':
    case 'end':
    case 'error':
      return Source.socket;
    case 'close':
      return Source.close;
    case 'connection':
      return Source.server;
  }
  if (resource === undefined) return Source.microtask; // queueMicrotask() without an object
  const prototype = Object.getPrototypeOf(resource);
  return known.get(prototype) ?? find(resource, prototype);
}

module.exports = { sourceOf };
