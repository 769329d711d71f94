'use strict';
// Timeouts, intervals and immediates: the objects and their callbacks. The order in which timers
// run is the loop's affair (src/core/phases/timers_phase.h explains it): a timer is known there by the
// number of its slot. Immediates are a queue here, run in one visit of C++.

// The immediates. First of all: V8 keeps only the first thirty or so variables of a file in registers
// where they are used again and again.
let waiting = 0; // so many wait for the next visit of the check phase
let waitingHead; // their first chunk
let waitingTail; // and the last
let running = 0; // so many were taken for this visit
let runningHead; // the chunk of the next one
let next = 0; // so many of them are done
let spareChunk; // the first chunk of the next visit
let refed = 0; // how many keep the loop alive, of those that have not run
let visits = 0; // that there were; C++ takes each for one callback
let taken = 0; // from the queue, by visits that are over
let skipped = 0; // of those taken: they were cleared
let isVisiting = false; // processImmediate() is running: it requests the next visit itself
let isVisitRefed = false; // whether the visit that C++ was asked for keeps the loop alive

const { validateFunction, validateNumber } = require('internal/validators');
const { codes: { ERR_OUT_OF_RANGE } } = require('internal/errors');
const {
  asyncState,
  async_id_symbol,
  trigger_async_id_symbol,
  frame_symbol,
  keepFrame,
  newAsyncId,
  getDefaultTriggerAsyncId,
  emitBriefInit,
  emitKeeperInit,
  emitBefore,
  emitAfter,
  emitAgain,
  emitDestroy,
  executionAsyncResource,
} = require('internal/async_hooks');
const { runTicksIfAny } = require('internal/process/task_queues');
const native = binding('timers');
const { apply } = Reflect;

const TIMEOUT_MAX = 2 ** 31 - 1;
const kNone = -1; // the slot of a timer that is not set

const kSlot = Symbol('slot');

// What is true or false of a timer or an immediate is kept in one property: there can be a million.
const kFlags = Symbol('flags');
const kRefed = 1; // keeps the loop alive
const kDestroyed = 2;
const kRepeats = 4; // the loop sets it again by itself
const kHasPrimitive = 8; // its number was asked for
const kHasRun = 16;

// ---- Timers ----------------------------------------------------------------------------------

const timers = []; // by slot
const timersById = new Map(); // those whose number was asked for

let hasWarnedOfNegative = false;
let hasWarnedOfNaN = false;

function warn(fault, name) {
  process.emitWarning(`${fault}\nTimeout duration was set to 1.`, name);
}

function toDuration(after) {
  if (after === undefined) return 1;
  after *= 1; // to a number or NaN
  if (after >= 1 && after <= TIMEOUT_MAX) return after;
  if (after > TIMEOUT_MAX) {
    warn(`${after} does not fit into a 32-bit signed integer.`, 'TimeoutOverflowWarning');
  } else if (after < 0 && !hasWarnedOfNegative) {
    hasWarnedOfNegative = true;
    warn(`${after} is a negative number.`, 'TimeoutNegativeWarning');
  } else if (after !== after && !hasWarnedOfNaN) {
    hasWarnedOfNaN = true;
    warn(`${after} is not a number.`, 'TimeoutNaNWarning');
  }
  return 1;
}

class Timeout {
  constructor(callback, after, args, isRepeat, isRefed) {
    after = toDuration(after);
    this._idleTimeout = after;
    this._onTimeout = callback;
    this._timerArgs = args;
    this._repeat = isRepeat ? after : null;
    this[kSlot] = kNone;
    this[kFlags] = (isRepeat ? kRepeats : 0) | (isRefed ? kRefed : 0);
    initTimer(this);
  }

  refresh() {
    if (this[kSlot] !== kNone) {
      if (asyncState.observed) emitAgain(this[async_id_symbol]);
      native.refresh(this[kSlot]);
    } else if (this._idleTimeout !== -1) {
      start(this);
      // One that was over is a new task.
      if (this[kFlags] & kDestroyed) {
        this[kFlags] &= ~kDestroyed;
        initTimer(this);
      } else if (asyncState.observed) {
        emitAgain(this[async_id_symbol]);
      }
    }
    return this;
  }

  unref() {
    if (this[kFlags] & kRefed) {
      this[kFlags] &= ~kRefed;
      if (this[kSlot] !== kNone) native.setRef(this[kSlot], false);
    }
    return this;
  }

  ref() {
    if (!(this[kFlags] & kRefed)) {
      this[kFlags] |= kRefed;
      if (this[kSlot] !== kNone) native.setRef(this[kSlot], true);
    }
    return this;
  }

  hasRef() {
    return (this[kFlags] & kRefed) !== 0;
  }
}

function initTimer(timer) {
  const asyncId = timer[async_id_symbol] = newAsyncId();
  const trigger = timer[trigger_async_id_symbol] = getDefaultTriggerAsyncId();
  if (asyncState.framesInUse) keepFrame(timer);
  if (asyncState.keepersObserved) emitKeeperInit(asyncId, 'Timeout', trigger, timer);
}

// These are enumerable, as in Node.
Timeout.prototype.close = function () {
  clearTimeout(this);
  return this;
};

Timeout.prototype[Symbol.dispose] = function () {
  clearTimeout(this);
};

Timeout.prototype[Symbol.toPrimitive] = function () {
  const id = this[async_id_symbol];
  if (!(this[kFlags] & kHasPrimitive)) {
    this[kFlags] |= kHasPrimitive;
    timersById.set(String(id), this);
  }
  return id;
};

// Properties that Node's objects have and ours can do without, because they can be worked out. They
// are on the prototype of the prototype, so as not to be among the methods.
function addHiddenProperties(prototype, properties) {
  Object.setPrototypeOf(prototype, Object.create(Object.prototype,
    Object.getOwnPropertyDescriptors(properties)));
}

// How util.inspect() shows them: as if they had all of Node's properties.
function inspectAs(constructor, properties, options, depth = 0) {
  const { inspect } = require('internal/util/inspect');
  const shown = Object.create(constructor.prototype, Object.getOwnPropertyDescriptors(properties));
  return inspect(shown, { ...options, depth, customInspect: false });
}

class TimersList {
  next = null;
}

addHiddenProperties(Timeout.prototype, {
  get _destroyed() {
    return (this[kFlags] & kDestroyed) !== 0;
  },

  get _idleStart() {
    return this[kSlot] === kNone ? null : native.startOf(this[kSlot]);
  },

  [Symbol.for('nodejs.util.inspect.custom')](_, options) {
    const list = this[kSlot] === kNone ? null : new TimersList();
    return inspectAs(Timeout, {
      _idleTimeout: this._idleTimeout,
      _idlePrev: list,
      _idleNext: list,
      _idleStart: this._idleStart,
      _onTimeout: this._onTimeout,
      _timerArgs: this._timerArgs,
      _repeat: this._repeat,
      _destroyed: this._destroyed,
      [Symbol('refed')]: this.hasRef(),
      [Symbol('kHasPrimitive')]: (this[kFlags] & kHasPrimitive) !== 0,
      [async_id_symbol]: this[async_id_symbol],
      [trigger_async_id_symbol]: this[trigger_async_id_symbol],
      [frame_symbol]: this[frame_symbol],
    }, options);
  },
});

function start(timer) {
  const flags = timer[kFlags];
  const slot = native.start(timer._idleTimeout | 0, (flags & kRepeats) !== 0);
  timer[kSlot] = slot;
  timers[slot] = timer;
  if (!(flags & kRefed)) native.setRef(slot, false);
}

// Out of the loop's hands; it may be set again.
function release(timer) {
  timers[timer[kSlot]] = undefined;
  timer[kSlot] = kNone;
}

function destroy(timer) {
  forget(timer);
  if (asyncState.observed) emitDestroy(timer[async_id_symbol]);
}

// The same for one that has run: a lens that does not need the object knows that it is over then.
function destroyRun(timer) {
  forget(timer);
  if (asyncState.needsResources) emitDestroy(timer[async_id_symbol]);
}

function forget(timer) {
  timer[kFlags] |= kDestroyed;
  if (asyncState.framesInUse) timer[frame_symbol] = undefined;
  if (timer[kFlags] & kHasPrimitive) timersById.delete(String(timer[async_id_symbol]));
}

// What is to be given to the callback. Not `...args`: that would be an object for each timer.
function argumentsFrom(all, first) {
  const rest = [];
  for (let i = first; i < all.length; i++) rest[i - first] = all[i];
  return rest;
}

function setTimeout(callback, after) {
  validateFunction(callback, 'callback');
  const args = arguments.length > 2 ? argumentsFrom(arguments, 2) : undefined;
  const timer = new Timeout(callback, after, args, false, true);
  start(timer);
  return timer;
}

function setInterval(callback, repeat) {
  validateFunction(callback, 'callback');
  const args = arguments.length > 2 ? argumentsFrom(arguments, 2) : undefined;
  const timer = new Timeout(callback, repeat, args, true, true);
  start(timer);
  return timer;
}

// Takes it out of the loop, for good.
function unset(timer) {
  const slot = timer[kSlot];
  if (slot !== kNone) {
    native.clear(slot);
    release(timer);
  }
  timer._idleTimeout = -1;
  timer._onTimeout = undefined;
  timer._timerArgs = undefined;
  if (!(timer[kFlags] & kDestroyed)) destroy(timer);
}

// What looks like a timer and is none, as a socket does, gets the marks of one that was cleared.
function markAsCleared(object) {
  object._onTimeout = undefined;
  const isNew = !object._destroyed;
  if (isNew) Object.assign(object, { _destroyed: true, _idleNext: null, _idlePrev: null });
  object._timerArgs = undefined;
  if (isNew) object._idleTimeout = -1;
}

function clearTimeout(timer) {
  if (timer?._onTimeout) {
    if (timer[kSlot] === undefined) markAsCleared(timer);
    else unset(timer);
    return;
  }
  if (typeof timer === 'number' || typeof timer === 'string') {
    const found = timersById.get(String(timer));
    if (found !== undefined) unset(found);
  }
}

function clearInterval(timer) {
  clearTimeout(timer);
}

// Called by C++ for a timer that is due. There may be more of them: asking for each from here costs
// much less than being called for each.
function processTimers(slot) {
  do {
    listOnTimeout(slot);
    slot = native.next();
  } while (slot >= 0);
}

// For one timer that is due. The loop sets an interval again by itself, and releases
// a timeout unless that was refreshed meanwhile.
function listOnTimeout(slot) {
  const timer = timers[slot];
  const asyncId = timer[async_id_symbol];
  if (!(timer[kFlags] & kRepeats)) release(timer);
  if (!timer._onTimeout) {
    destroy(timer);
    return;
  }
  emitBefore(asyncId, timer[trigger_async_id_symbol], timer);
  let hasReturned = false;
  try {
    const args = timer._timerArgs;
    if (args === undefined) timer._onTimeout();
    else apply(timer._onTimeout, timer, args);
    hasReturned = true;
  } finally {
    if (!hasReturned) native.endThrown();
    if (timer[kSlot] === kNone) {
      if (timer._repeat && timer._idleTimeout !== -1) {
        // A timeout that was made an interval from outside.
        timer._idleTimeout = timer._repeat;
        timer[kFlags] |= kRepeats;
        if (asyncState.observed) emitAgain(asyncId);
        start(timer);
      } else if (!(timer[kFlags] & kDestroyed)) {
        destroyRun(timer);
      }
    } else if ((timer[kFlags] & kRepeats) && (!timer._repeat || timer._idleTimeout === -1)) {
      // Vice versa, or stopped by clearing _repeat.
      native.clear(slot);
      release(timer);
      timer[kFlags] &= ~kRepeats;
      destroy(timer);
    }
  }
  emitAfter(asyncId);
}

// ---- Immediates ------------------------------------------------------------------------------

// The queue is a list of chunks: an array that grows would be copied again and again, and would be
// old for the garbage collector, which has to remember each young object in it. The first chunk is
// used again and again.
const kChunkSize = 512;

class Chunk {
  constructor() {
    this.entries = new Array(kChunkSize);
    for (let i = 0; i < kChunkSize; i++) this.entries[i] = undefined;
    this.next = null;
  }
}

waitingHead = waitingTail = new Chunk();
spareChunk = new Chunk();

// Counts it last: a call may end here, because the stack is full or the time of node:vm is up.
function addToQueue(immediate) {
  const index = waiting & (kChunkSize - 1);
  if (index === 0 && waiting !== 0) waitingTail = waitingTail.next = new Chunk();
  waitingTail.entries[index] = immediate;
  waiting++;
}

// What waits is for this visit now.
function takeQueue() {
  running = waiting;
  runningHead = waitingHead;
  next = 0;
  waiting = 0;
  waitingHead = waitingTail = spareChunk;
  spareChunk = runningHead;
}

function nextImmediate() {
  return runningHead.entries[next & (kChunkSize - 1)];
}

function shiftQueue() {
  runningHead.entries[next++ & (kChunkSize - 1)] = undefined;
  if ((next & (kChunkSize - 1)) !== 0 || next === running) return;
  const spent = runningHead;
  runningHead = spent.next;
  spent.next = null;
}

// Those that wait, in this visit and for the next.
function countWaiting() {
  const isWaiting = (immediate) => immediate !== undefined && !(immediate[kFlags] & kDestroyed);
  let count = 0;
  for (const head of [runningHead, waitingHead]) {
    for (let chunk = head; chunk; chunk = chunk.next) count += chunk.entries.filter(isWaiting).length;
  }
  return count;
}

function askForVisit() {
  native.armImmediates();
  isVisitRefed = true;
  updateVisitRef();
}

// Tells C++, which does not know of single immediates.
function updateVisitRef() {
  const wanted = refed > 0;
  if (isVisiting || waiting === 0 || wanted === isVisitRefed) return;
  isVisitRefed = wanted;
  native.refImmediates(wanted);
}

class Immediate {
  constructor(callback, args) {
    this._onImmediate = callback;
    this._argv = args;
    this[kFlags] = kRefed;
    const asyncId = this[async_id_symbol] = newAsyncId();
    const trigger = this[trigger_async_id_symbol] = getDefaultTriggerAsyncId();
    if (asyncState.framesInUse) keepFrame(this);
    if (asyncState.keepersObserved) emitBriefInit(asyncId, 'Immediate', trigger, this);
    addToQueue(this);
    refed++;
    if (isVisiting) return;
    if (waiting === 1) askForVisit();
    else if (!isVisitRefed) updateVisitRef();
  }

  ref() {
    if (!(this[kFlags] & (kRefed | kHasRun))) {
      this[kFlags] |= kRefed;
      refed++;
      updateVisitRef();
    }
    return this;
  }

  unref() {
    if (this[kFlags] & kRefed) {
      this[kFlags] &= ~kRefed;
      refed--;
      updateVisitRef();
    }
    return this;
  }

  hasRef() {
    return (this[kFlags] & kRefed) !== 0;
  }
}

Immediate.prototype[Symbol.dispose] = function () {
  clearImmediate(this);
};

addHiddenProperties(Immediate.prototype, {
  get _destroyed() {
    return (this[kFlags] & kDestroyed) !== 0;
  },

  [Symbol.for('nodejs.util.inspect.custom')](_, options) {
    return inspectAs(Immediate, {
      _idleNext: null,
      _idlePrev: null,
      _onImmediate: this._onImmediate,
      _argv: this._argv,
      _destroyed: this._destroyed,
      [Symbol('refed')]: this[kFlags] & kHasRun ? null : this.hasRef(),
      [async_id_symbol]: this[async_id_symbol],
      [trigger_async_id_symbol]: this[trigger_async_id_symbol],
      [frame_symbol]: this[frame_symbol],
    }, options, options.depth);
  },
});

function setImmediate(callback) {
  validateFunction(callback, 'callback');
  const args = arguments.length > 1 ? argumentsFrom(arguments, 1) : undefined;
  return new Immediate(callback, args);
}

function clearImmediate(immediate) {
  if (!immediate?._onImmediate || immediate._destroyed) return;
  immediate.unref();
  immediate[kFlags] = kDestroyed | kHasRun;
  if (asyncState.observed) emitDestroy(immediate[async_id_symbol]);
  empty(immediate);
}

// Its callback may hold much, and so may its frame.
function empty(immediate) {
  immediate._onImmediate = undefined;
  immediate._argv = undefined;
  if (asyncState.framesInUse) immediate[frame_symbol] = undefined;
}

// Called by C++ in the check phase. If one of them throws, C++ calls again for the rest; if it was
// the last one, those that wait for the next visit run already, and before any tick:
// that is how it is in Node.
function processImmediate() {
  isVisiting = true;
  do {
    runVisit();
    // Often the next visit is all that is left to do, and begins at once.
  } while (waiting > 0 && refed > 0 && (runTicksAfterVisit(), native.nextVisit()));
  endVisits();
}

function endVisits() {
  isVisiting = false;
  if (waiting > 0) askForVisit();
}

// If one of them throws, the visit is over: C++ sees that by being asked for the next.
function runTicksAfterVisit() {
  let isDone = false;
  try {
    runTicksIfAny();
    isDone = true;
  } finally {
    if (!isDone) endVisits();
  }
}

function runVisit() {
  visits++;
  if (next === running) {
    taken += running;
    takeQueue();
  }
  let isFirst = true;
  while (next < running) {
    const immediate = nextImmediate();
    if (!(immediate[kFlags] & kDestroyed)) {
      // Which may throw: the immediate is still in the queue then.
      if (!isFirst) runTicksIfAny();
      isFirst = false;
    }
    shiftQueue();
    if (!(immediate[kFlags] & kDestroyed)) runImmediate(immediate);
    else skipped++;
  }
  taken += running;
  running = next = 0;
}

// Whether one that throws is the last of its visit does not depend on those after it that were cleared before.
function skipCleared() {
  while (next < running && nextImmediate()[kFlags] & kDestroyed) {
    shiftQueue();
    skipped++;
  }
}

function runImmediate(immediate) {
  if (immediate[kFlags] & kRefed) refed--;
  immediate[kFlags] = kDestroyed | kHasRun;
  const asyncId = immediate[async_id_symbol];
  emitBefore(asyncId, immediate[trigger_async_id_symbol], immediate);
  let hasThrown = true;
  try {
    const args = immediate._argv;
    if (args === undefined) immediate._onImmediate();
    else apply(immediate._onImmediate, immediate, args);
    hasThrown = false;
  } finally {
    if (hasThrown) skipCleared();
    empty(immediate);
    // A lens that does not need the object knows that it is over when it has run.
    if (asyncState.needsResources) emitDestroy(asyncId);
  }
  emitAfter(asyncId);
}

// ---- For others ------------------------------------------------------------------------------

// The delay of a socket's timeout, or of anything else that counts in milliseconds.
function getTimerDuration(msecs, name) {
  validateNumber(msecs, name);
  if (msecs < 0 || !Number.isFinite(msecs)) {
    throw new ERR_OUT_OF_RANGE(name, 'a non-negative finite number', msecs);
  }
  if (msecs > TIMEOUT_MAX) {
    process.emitWarning(`${msecs} does not fit into a 32-bit signed integer.` +
                        `\nTimer duration was truncated to ${TIMEOUT_MAX}.`, 'TimeoutOverflowWarning');
    return TIMEOUT_MAX;
  }
  return msecs;
}

// An unref'd timeout for internal use.
function setUnrefTimeout(callback, after) {
  const timer = new Timeout(callback, after, undefined, false, false);
  start(timer);
  return timer;
}

// How many keep the loop alive.
function countActive() {
  const timeouts = timers.filter((timer) => timer?.hasRef()).length;
  const current = executionAsyncResource(); // a timeout counts until its callback is done
  const isRunning = current instanceof Timeout && current[kSlot] === kNone && current.hasRef() &&
    !(current[kFlags] & kDestroyed);
  return { timeouts: timeouts + Number(isRunning), all: timers.filter(Boolean).length, immediates: refed };
}

// For the lens: what waits for the check phase, and what C++ does not know of what has run there.
function immediateFigures() {
  return {
    waiting: countWaiting(),
    visits,
    ran: taken + next - skipped,
  };
}

// Those that are set, and when they were, in milliseconds since the start of the program.
function activeTimers() {
  return timers.filter((timer) => timer !== undefined).map((timer) => ({
    timer, start: native.startOf(timer[kSlot]), isRefed: (timer[kFlags] & kRefed) !== 0,
  }));
}

function countImmediates() {
  return waiting + running - next;
}

module.exports = {
  Immediate,
  TIMEOUT_MAX,
  Timeout,
  activeTimers,
  clearImmediate,
  clearInterval,
  clearTimeout,
  countActive,
  countImmediates,
  getTimerDuration,
  immediateFigures,
  kTimeout: Symbol('timeout'),
  processImmediate,
  processTimers,
  setImmediate,
  setInterval,
  setTimeout,
  setUnrefTimeout,
};
