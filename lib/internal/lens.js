'use strict';
// Tells the lens (include/rondo/lens.h) of what is made and what runs here.

// First of all: V8 keeps only the first thirty or so variables of a file in registers where they are
// used again and again.
let promises = 0; // that have a number
let newest; // the promise that was made last, until it is noted
let runningPromise = 0; // the number of the one that runs; 0 for none

const native = binding('lens');
// A binding is so large that V8 looks its functions up each time.
const { begin, end, isSettled } = native;

const {
  async_id_symbol, countTicksMade, executionAsyncResource, setLens,
} = require('internal/async_hooks');
const { kSources, sourceOf } = require('internal/lens_sources');
const {
  describeEvent, describeOperation, describeTask, kindOf, kKeysOfType, kKinds, stepOf,
} = require('internal/lens_words');
const { countTicks } = require('internal/process/task_queues');
const { openHandles, setHandleWatcher } = require('internal/open_handles');
const { shared, kImmediatesWaiting, kNoted, kTicksWaiting } = require('internal/shared_state');
const { setLensHooks } = require('internal/promise_hooks');
const { kOwner } = require('internal/stream_handle');
const { countImmediates } = require('internal/timers');
const { SafeMap } = require('internal/util/safe');

// What the watchers want, in the order of the bits of native.wants().
const kSubjects = 1;
const kWords = 2; // labels, places
const kPromises = 4;
const kHandles = 8;
const kDetails = 16;
const kCounts = 32;

// ---- Notes -----------------------------------------------------------------------------------

// Where nobody wants words, what is made, what has ended and what is gone is only noted, and told with
// what begins next, or when the loop goes on: going to C++ for it would cost more than all the rest.
// Four numbers each, as src/runtime/bindings/lens.cpp reads them.
const kPerNote = 4;
const kGone = -1; // in the place of the kind
const kEnd = -2;
const kMostNoted = 256 * kPerNote;
const notes = new Float64Array(kMostNoted);

function note(id, kind, trigger, delay) {
  let at = shared[kNoted];
  if (at === kMostNoted) {
    native.tell();
    at = 0;
  }
  notes[at] = id;
  notes[at + 1] = kind;
  notes[at + 2] = trigger;
  notes[at + 3] = delay;
  shared[kNoted] = at + kPerNote;
}

// Before anything is told, the promise that was made last is noted: it comes from what runs until then.
function tellAll() {
  if (newest !== undefined) notePromise();
  native.tell();
}

function beginTask(asyncId, source) {
  if (newest !== undefined) notePromise();
  begin(asyncId, source);
}

function beginEvent(asyncId, source, event, label) {
  if (newest !== undefined) notePromise();
  native.beginEvent(asyncId, source, event, label);
}

function endTask(asyncId) {
  if (newest !== undefined) notePromise();
  return end(asyncId);
}

// ---- Tasks -----------------------------------------------------------------------------------

function init(asyncId, type, resource, trigger) {
  // The frequent ones first, and without a look into a table.
  switch (type) {
    case 'TickObject':
      note(asyncId, kKinds.tick, trigger, 0);
      break;
    case 'Immediate':
      note(asyncId, kKinds.immediate, trigger, 0);
      break;
    case 'Microtask':
      note(asyncId, kKinds.microtask, trigger, 0);
      break;
    case 'Timeout':
      note(asyncId, resource._repeat ? kKinds.interval : kKinds.timeout, trigger, resource._idleTimeout);
      break;
    default:
      // These cost so much by themselves that words for them do not matter.
      tellAll();
      initWithLabel(asyncId, type, resource, trigger);
  }
}

// Words that come again and again are told once, and have numbers from then on.
const kMostWords = 5000; // a program can make up as many names as it likes
let words = 0;
const numbersOfType = { __proto__: null }; // type -> its number
const labelsOfType = { __proto__: null }; // type -> Map: key -> number of the label

function numberOfType(type) {
  return numbersOfType[type] ??= native.word(type);
}

function labelOf(type, resource) {
  const keyOf = kKeysOfType[type];
  if (keyOf === undefined) return describeTask(type, resource);
  const key = keyOf(resource);
  const labels = labelsOfType[type] ??= new SafeMap();
  const known = labels.get(key);
  if (known !== undefined) return known;
  const label = describeTask(type, resource);
  if (words === kMostWords) return label;
  words++;
  const number = native.word(label);
  labels.set(key, number);
  return number;
}

function initWithLabel(asyncId, type, resource, trigger) {
  native.made(asyncId, kindOf(type, resource), trigger, resource._idleTimeout,
    labelOf(type, resource), numberOfType(type), stepOf(type, resource));
}

// What began last: an immediate forgets its callback before its end, and an event is not kept.
let lastResource;
let lastCallback;
let lastEvent;

function sourceOfBegun(resource, event) {
  lastResource = resource;
  lastEvent = event;
  const source = sourceOf(resource, event);
  if (source === kSources.immediate) lastCallback = resource._onImmediate;
  return source;
}

// Where only figures are wanted.
function beforeToCount(asyncId, resource, event) {
  beginTask(asyncId, sourceOfBegun(resource, event));
}

function before(asyncId, resource, event) {
  if (event === undefined) beginTask(asyncId, kSources.other);
  else beginEvent(asyncId, kSources.other, event, undefined);
}

function beforeWithDetails(asyncId, resource, event) {
  const source = sourceOfBegun(resource, event);
  if (event === undefined) beginTask(asyncId, source);
  else beginEvent(asyncId, source, event, undefined);
}

function beforeWithLabel(asyncId, resource, event) {
  const source = sourceOfBegun(resource, event);
  if (event === undefined) beginTask(asyncId, source);
  else beginEvent(asyncId, source, event, describeEvent(event, resource));
}

function after(asyncId) {
  endTask(asyncId);
}

function afterToNote(asyncId) {
  if (newest !== undefined) notePromise();
  note(asyncId, kEnd, 0, 0);
}

function afterWithDetails(asyncId) {
  if (endTask(asyncId)) tellDetails(asyncId, executionAsyncResource());
  if (opened.length > 0) tellOpened();
}

function again(asyncId) {
  tellAll();
  native.again(asyncId);
}

// The function of the program's that ran; undefined if it is not known.
function callbackOf(resource, event) {
  if (resource._onImmediate !== undefined) return lastCallback;
  if (event === undefined) return resource._onTimeout ?? resource.oncomplete;
  return resource[kOwner]?.listeners?.(event)[0];
}

function tellDetails(asyncId, resource) {
  const event = resource === lastResource ? lastEvent : undefined;
  const type = resource.constructor.name;
  const label = event !== undefined ? describeEvent(event, resource) :
    describeOperation(type === 'Timeout' || type === 'Immediate' ? type : type.toUpperCase(), resource);
  native.details(asyncId, label, callbackOf(resource, event));
}

// ---- Queues ------------------------------------------------------------------------------------

// Called by C++, between any two steps of a program: it must not change anything.
function countQueues() {
  shared[kTicksWaiting] = countTicks();
  shared[kImmediatesWaiting] = countImmediates();
}

// ---- Handles ---------------------------------------------------------------------------------

// Told when what opened them is done: a server then knows where it listens.
let opened = []; // { handle, type }

function tellOpened() {
  const handles = opened;
  opened = [];
  for (const { handle, type } of handles) {
    native.opened(handle[async_id_symbol], describeTask(type, handle));
  }
}

const handleWatcher = {
  opened(handle, type) {
    opened.push({ handle, type });
  },
  closed(handle) {
    const index = opened.findIndex((entry) => entry.handle === handle);
    if (index >= 0) opened.splice(index, 1);
    else native.closed(handle[async_id_symbol]);
  },
};

function destroy(asyncId) {
  note(asyncId, kGone, 0, 0);
}

let lastCall = Number.MAX_SAFE_INTEGER; // far from the ids of tasks

// Something that is no task but shows as one.
function call(type, label, callback, promise) {
  const id = lastCall--;
  tellAll();
  native.made(id, kindOf(type), promise === undefined ? 0 : promiseId(promise), undefined, label);
  beginTask(id, kSources.other);
  try {
    return callback();
  } finally {
    endTask(id);
    native.gone(id);
  }
}

// ---- Promises --------------------------------------------------------------------------------

// Ids far from those of async_hooks, under a key that no program can see: that it is watched must
// not change what a program prints. Counted from 1: a small number needs no object of its own.
const kFirstPromise = 2 ** 40;
let kPromiseNumber;

function promiseId(promise) {
  return kFirstPromise + (promise[kPromiseNumber] ??= ++promises);
}

// Noted when the next one is made, or when what runs has ended: it may be settled by then and will never
// run, as the one that an await puts its value into.
function promiseInit(promise, parent) {
  if (newest !== undefined && !(newest === parent && isSettled(parent))) notePromise();
  newest = promise;
}

function notePromise() {
  note(kFirstPromise + (newest[kPromiseNumber] = ++promises), kKinds.promise, 0, 0);
  newest = undefined;
}

function promiseInitWithLabel(promise, parent) {
  native.made(promiseId(promise), kKinds.promise, 0, undefined, labelOf('PROMISE', promise),
    numberOfType('PROMISE'), undefined, parent !== undefined);
}

// Shows the lens what a call of then() looks like from inside its hook: that of a promise which never
// comes to anything.
let knowsThen = false;

function learnThen() {
  knowsThen = true;
  const never = new Promise(() => {});
  setLensHooks({
    init(promise, parent) {
      if (parent !== undefined) native.learnThen();
    },
  });
  never.then();
}

function promiseBefore(promise) {
  beginTask(promiseId(promise), kSources.microtask);
}

function promiseAfter(promise) {
  endTask(promiseId(promise));
}

function promiseBeforeToNote(promise) {
  if (newest !== undefined) notePromise();
  if (promise[kPromiseNumber] === undefined) { // it was made before the lens came
    newest = promise;
    notePromise();
  }
  runningPromise = promise[kPromiseNumber];
  begin(kFirstPromise + runningPromise, kSources.microtask);
}

// It runs without a begin if the hooks were set by itself.
function promiseAfterToNote() {
  if (newest !== undefined) notePromise();
  if (runningPromise !== 0) note(kFirstPromise + runningPromise, kEnd, 0, 0);
  runningPromise = 0;
}

// ----------------------------------------------------------------------------------------------

let watchesHandles = false;

function watchHandles(isWanted) {
  if (isWanted === watchesHandles) return;
  watchesHandles = isWanted;
  setHandleWatcher(isWanted ? handleWatcher : undefined);
  opened = isWanted ? openHandles() : [];
}

// Again whenever a watcher has come or gone.
function update() {
  const wants = native.wants();
  if (wants < 0) {
    shared[kNoted] = 0;
    newest = undefined;
    setLens(null);
    setLensHooks({});
    watchHandles(false);
    return;
  }
  tellAll();
  const hasLabels = (wants & kWords) !== 0;
  const hasSubjects = (wants & kSubjects) !== 0;
  setLens({
    needsResources: (wants & (kWords | kDetails)) !== 0,
    init: !hasSubjects ? undefined : hasLabels ? initWithLabel : init,
    before: hasLabels ? beforeWithLabel : !(wants & kDetails) ? before :
      hasSubjects ? beforeWithDetails : beforeToCount,
    after: wants & (kDetails | kHandles) ? afterWithDetails : hasLabels ? after : afterToNote,
    again: hasSubjects ? again : undefined,
    destroy: hasSubjects ? destroy : undefined,
    call,
  });
  const hasPromises = hasSubjects && (wants & kPromises) !== 0;
  if (hasPromises && hasLabels && !knowsThen) learnThen();
  setLensHooks(!hasPromises ? {} : {
    init: hasLabels ? promiseInitWithLabel : promiseInit,
    before: hasLabels ? promiseBefore : promiseBeforeToNote,
    after: hasLabels ? promiseAfter : promiseAfterToNote,
  });
  if (wants & kCounts) {
    countTicksMade();
    native.countMicrotasks();
  }
  watchHandles((wants & kHandles) !== 0);
}

// Also in the middle of a program, when a watcher has come that needs more than others.
function startLate() {
  kPromiseNumber ??= native.hiddenKey();
  native.setNotes(notes);
  native.answerPlace();
  native.answerDepths(countQueues);
  update();
}

// The main program is what runs first; `label` names it.
let mainLabel;

function start(label) {
  mainLabel = label;
  startLate();
  native.made(1, kindOf('main'), 0, undefined, label);
  beginTask(1, kSources.main);
}

function endOfMain() {
  if (endTask(1)) native.details(1, mainLabel, undefined);
  tellOpened();
}

module.exports = { endOfMain, start, startLate, update };
