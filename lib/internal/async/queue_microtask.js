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
  emitInit,
  emitBefore,
  emitAfter,
  pushContext,
  popContext,
} = require('internal/async_hooks');
const { validateFunction } = require('internal/validators');

// ---- The callbacks: a list of chunks, three entries for each -------------------------------------

// Chunks after the first are so large that the garbage collector does not move them.
const kFirstSize = 3 * 512;
const kNextSize = 3 * 8192;

class Chunk {
  constructor(size) {
    this.list = new Array(size).fill(undefined);
    this.next = null;
  }
}

const firstChunk = new Chunk(kFirstSize);
let first = firstChunk;
let last = firstChunk;
let head = 0; // in the first
let tail = 0; // in the last

function push(callback, asyncId, trigger) {
  if (tail === last.list.length) {
    last = last.next = new Chunk(kNextSize);
    tail = 0;
  }
  const { list } = last;
  list[tail] = callback;
  list[tail + 1] = asyncId;
  list[tail + 2] = trigger;
  tail += 3;
}

function takeOut(list) {
  list[head] = undefined;
  head += 3;
  if (first === last) {
    // Restarts when it is empty: a chain of callbacks stays in the same memory, and what a burst
    // needed is given back.
    if (head === tail) {
      first = last = firstChunk;
      head = tail = 0;
    }
  } else if (head === list.length) {
    first = first.next;
    head = 0;
  }
}

function runNext() {
  const { list } = first;
  const callback = list[head];
  const asyncId = list[head + 1];
  const trigger = list[head + 2];
  takeOut(list);
  pushContext(asyncId, trigger, undefined);
  try {
    callback();
    popContext();
  } catch (error) {
    popContext();
    triggerUncaughtException(error, false);
  }
}

// The same where only the lens follows it.
function runNextReported() {
  const { list } = first;
  const callback = list[head];
  const asyncId = list[head + 1];
  const trigger = list[head + 2];
  takeOut(list);
  emitBefore(asyncId, trigger, undefined, undefined, callback);
  try {
    callback();
    emitAfter(asyncId);
  } catch (error) {
    emitAfter(asyncId);
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
  if (asyncState.needsResources) {
    queueWithResource(callback);
    return;
  }
  const asyncId = newAsyncId();
  const trigger = getDefaultTriggerAsyncId();
  if (asyncState.observed) emitInit(asyncId, 'Microtask', trigger, undefined);
  push(callback, asyncId, trigger);
  enqueueMicrotask(asyncState.observed ? runNextReported : runNext);
}

// The callback that is next, or undefined.
function nextMicrotask() {
  return first.list[head];
}

module.exports = { nextMicrotask, queueMicrotask };
