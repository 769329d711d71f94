'use strict';
// process.nextTick, and what runs after every operation: every tick, then every microtask, until
// both are done, then the unhandled rejections.

// The queue, see below. First of all: V8 keeps only the first thirty or so variables of a file in
// registers where they are used again and again.
let head;
let tail;
let headAt = 0; // in head.entries: the tick that runs next
let tailAt = 0; // in tail.entries: after the last tick

const {
  shared, kHasTick, kHasRejection, kOperations, kLocationsLeft, kTicks,
} = require('internal/native/shared_state');
const { validateFunction } = require('internal/validators');
const { endOperation, runMicrotasks } = binding('task_queue');
const { apply } = Reflect;
const {
  asyncState,
  async_id_symbol,
  trigger_async_id_symbol,
  frame_symbol,
  currentFrame,
  setFrame,
  newAsyncId,
  getDefaultTriggerAsyncId,
  emitInit,
  emitBefore,
  emitAfter,
  emitDestroy,
  noteKeeper,
  pushContext,
  popContext,
  switchContext,
} = require('internal/async_hooks');
const { exitState } = require('internal/process/exit_state');
const { processPromiseRejections } = require('internal/process/promises');

// ---- The queue -------------------------------------------------------------------------------

// A list of chunks. A tick takes four entries of one: callback, arguments, async id, trigger id.
// There is no object for each, which the garbage collector would have to move about. Chunks after
// the first are so large that V8 does not move them either.
const kPerTick = 4;
const kFirstSize = 256 * kPerTick;
const kNextSize = 8192 * kPerTick;

class Chunk {
  constructor(size) {
    this.entries = new Array(size).fill(undefined);
    this.next = null;
  }
}

const firstChunk = new Chunk(kFirstSize);
head = tail = firstChunk;

function addChunk() {
  tail = tail.next = new Chunk(kNextSize);
  tailAt = 0;
}

// ---- Adding ------------------------------------------------------------------------------------

// With hooks for ticks, and where a frame of AsyncLocalStorage is to go with it, a
// tick is an object, instead of its callback.
class TickObject {
  constructor(callback, args, asyncId, trigger, frame) {
    this[async_id_symbol] = asyncId;
    this[trigger_async_id_symbol] = trigger;
    this[frame_symbol] = frame;
    this.callback = callback;
    this.args = args;
    emitInit(asyncId, 'TickObject', trigger, this);
  }
}

// Instead of the callback: an entry without arguments, and
// only the lens follows it.
const kReportedTick = {};

// Also for --blocked, which sees by the count that ticks make ticks, and looks at some of them.
function addObserved(callback, args, asyncId, trigger) {
  shared[kTicks]++;
  const isReported = asyncState.observed;
  const frame = asyncState.framesInUse ? currentFrame() : undefined;
  if (frame !== undefined || asyncState.needsResources || (isReported && args !== undefined) ||
      shared[kLocationsLeft] > 0) {
    const tick = new TickObject(callback, args, asyncId, trigger, frame);
    if (shared[kLocationsLeft] > 0) noteKeeper(tick, 'TickObject');
    add(tick, undefined, asyncId, trigger);
  } else if (isReported) {
    emitInit(asyncId, 'TickObject', trigger, undefined);
    add(kReportedTick, callback, asyncId, trigger);
  } else {
    add(callback, args, asyncId, trigger);
  }
}

function add(what, args, asyncId, trigger) {
  if (tailAt === tail.entries.length) addChunk();
  const { entries } = tail;
  if (entries[tailAt] !== what) entries[tailAt] = what; // to store is dear, to look is not
  entries[tailAt + 1] = args;
  entries[tailAt + 2] = asyncId;
  entries[tailAt + 3] = trigger;
  tailAt += kPerTick;
  shared[kHasTick] = 1;
}

function nextTick(callback) {
  if (typeof callback !== 'function') validateFunction(callback, 'callback');
  if (exitState.isExiting) return;

  let args;
  if (arguments.length > 1) {
    args = new Array(arguments.length - 1);
    for (let i = 1; i < arguments.length; i++) args[i - 1] = arguments[i];
  }
  const asyncId = newAsyncId();
  const trigger = getDefaultTriggerAsyncId();
  if (asyncState.ticksObserved) addObserved(callback, args, asyncId, trigger);
  else add(callback, args, asyncId, trigger);
}

// How many wait.
function countTicks() {
  let count = -headAt;
  for (let chunk = head; chunk !== tail; chunk = chunk.next) count += chunk.entries.length;
  return (count + tailAt) / kPerTick;
}

// ---- Running -----------------------------------------------------------------------------------

function call(callback, args) {
  if (args === undefined) {
    callback();
    return;
  }
  switch (args.length) {
    case 1: callback(args[0]); break;
    case 2: callback(args[0], args[1]); break;
    case 3: callback(args[0], args[1], args[2]); break;
    default: apply(callback, undefined, args);
  }
}

function callObserved(tick, asyncId, trigger) {
  emitBefore(asyncId, trigger, tick);
  try {
    call(tick.callback, tick.args);
  } finally {
    if (asyncState.observed) emitDestroy(asyncId);
  }
  emitAfter(asyncId);
}

function callReported(callback, asyncId, trigger) {
  emitBefore(asyncId, trigger, undefined, undefined, callback);
  callback();
  if (asyncState.hooksEnabled) emitDestroy(asyncId); // since it was added, or by itself
  emitAfter(asyncId);
}

// One that was added before hooks were enabled.
function callUnforeseen(callback, args, asyncId, trigger) {
  emitBefore(asyncId, trigger, undefined);
  try {
    call(callback, args);
  } finally {
    emitDestroy(asyncId);
  }
  emitAfter(asyncId);
}

// One context for all that run in a row.
function runAll() {
  let isInContext = false;
  let isHooked = asyncState.hooksEnabled;
  while (headAt !== tailAt || head !== tail) {
    if (headAt === head.entries.length) {
      const spent = head;
      head = head.next;
      headAt = 0;
      spent.next = null;
      spent.entries[0] = undefined;
      continue;
    }
    const { entries } = head;
    const what = entries[headAt];
    const args = entries[headAt + 1];
    const asyncId = entries[headAt + 2];
    const trigger = entries[headAt + 3];
    // A tick that adds a tick uses the first entries again and again; often it adds itself, and
    // finds itself there.
    if (headAt !== 0) entries[headAt] = undefined;
    entries[headAt + 1] = undefined;
    headAt += kPerTick;
    if (headAt === tailAt && head === tail) headAt = tailAt = 0;
    if (typeof what === 'function' && !isHooked) {
      if (isInContext) {
        switchContext(asyncId, trigger, undefined);
      } else {
        pushContext(asyncId, trigger, undefined);
        isInContext = true;
      }
      call(what, args);
      if (asyncState.framesInUse) setFrame(undefined);
      if (asyncState.hooksEnabled) {
        // By this tick itself.
        isInContext = false;
        emitDestroy(asyncId);
        emitAfter(asyncId);
        isHooked = true;
      }
    } else {
      if (isInContext) popContext();
      isInContext = false;
      if (what === kReportedTick) callReported(args, asyncId, trigger);
      else if (typeof what === 'function') callUnforeseen(what, args, asyncId, trigger);
      else callObserved(what, asyncId, trigger);
      isHooked = asyncState.hooksEnabled;
    }
  }
  if (isInContext) popContext();
  head = tail = firstChunk; // what a burst needed is given back
  firstChunk.entries[0] = undefined;
}

// Called by C++ after an operation that left something to do. What a tick throws leaves from here;
// the ticks after it run after the next operation.
function processTicksAndRejections() {
  do {
    runAll();
    runMicrotasks();
  } while (headAt !== tailAt || head !== tail || processPromiseRejections());
  shared[kHasTick] = 0;
  shared[kHasRejection] = 0;
}

// For programs, under the name process._tickCallback: a function of its own, or stacks would name that.
function runNextTicks() {
  processTicksAndRejections();
}

// Between two callbacks of one crossing: does what C++ does after each.
function runTicksIfAny() {
  if (shared[kHasTick] === 0 && shared[kHasRejection] === 0) endOperation();
  if (shared[kHasTick] === 0 && shared[kHasRejection] === 0) return;
  shared[kOperations]++;
  processTicksAndRejections();
  shared[kOperations]++;
}

module.exports = {
  countTicks,
  nextTick,
  // Where Node's own files look for it.
  get queueMicrotask() { return require('internal/async/queue_microtask').queueMicrotask; },
  processTicksAndRejections,
  runNextTicks,
  runTicksIfAny,
};
