'use strict';
// queueMicrotask(). Each callback is an entry of V8's queue. The entry is always the same function,
// which takes the callbacks from a list in the order they came: no closure is made for each.
//
// When hooks or stores want to follow each callback, each is a resource and an entry of its own.

const { enqueueMicrotask } = binding('async_wrap');
const { triggerUncaughtException } = binding('errors');
const {
  asyncState,
  newAsyncId,
  getDefaultTriggerAsyncId,
  pushContext,
  popContext,
} = require('internal/async_hooks');
const { validateFunction } = require('internal/validators');

// ---- The callbacks: a list of chunks, three entries for each -------------------------------------

const kChunk = 3 * 512;

class Chunk {
  constructor() {
    this.list = new Array(kChunk);
    this.next = null;
  }
}

let first = new Chunk();
let last = first;
let head = 0; // in the first
let tail = 0; // in the last
let spare = null;

function push(callback, asyncId, trigger) {
  if (tail === kChunk) {
    last.next = spare ?? new Chunk();
    last = last.next;
    spare = null;
    tail = 0;
  }
  const { list } = last;
  list[tail] = callback;
  list[tail + 1] = asyncId;
  list[tail + 2] = trigger;
  tail += 3;
}

function runNext() {
  const { list } = first;
  const callback = list[head];
  const asyncId = list[head + 1];
  const trigger = list[head + 2];
  list[head] = undefined;
  head += 3;
  if (first === last) {
    // Begins anew when it is empty: a chain of callbacks stays in one place.
    if (head === tail) head = tail = 0;
  } else if (head === kChunk) {
    spare = first;
    first = first.next;
    spare.next = null;
    head = 0;
  }
  pushContext(asyncId, trigger, undefined);
  try {
    callback();
    popContext();
  } catch (error) {
    popContext();
    triggerUncaughtException(error, false);
  }
}

function queueWithResource(callback) {
  const { AsyncResource } = require('async_hooks');
  const resource = new AsyncResource('Microtask', { requireManualDestroy: true });
  resource.callback = callback;
  enqueueMicrotask(() => {
    try {
      resource.runInAsyncScope(callback);
    } catch (error) {
      triggerUncaughtException(error, false);
    } finally {
      resource.emitDestroy();
    }
  });
}

function queueMicrotask(callback) {
  if (typeof callback !== 'function') validateFunction(callback, 'callback');
  if (asyncState.observed) {
    queueWithResource(callback);
    return;
  }
  push(callback, newAsyncId(), getDefaultTriggerAsyncId());
  enqueueMicrotask(runNext);
}

module.exports = { queueMicrotask };
