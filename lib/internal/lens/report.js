'use strict';
// Tells the lens (include/rondo/lens.h) of what is made and what runs here.

const native = binding('lens');
const { traceOrigins } = binding('messaging');
const { errname } = binding('uv');
// A binding is so large that V8 looks its functions up each time.
const { begin, beginEvent, end, promiseBegins, promiseEnds, promiseId, promiseMade } = native;

const {
  async_id_symbol, countTicksMade, executionAsyncResource, setLens,
} = require('internal/async_hooks');
const { keepWholes, wholeOf } = require('internal/fs/native');
const { sourceOf } = require('internal/lens/sources');
const {
  describeEvent, describeOperation, describeTask, kindOf, kKeysOfType, stepOf, tickWords,
} = require('internal/lens/descriptions');
const { keepServed, servedRequest } = require('internal/http/served_request');
const { currentFolder } = require('internal/process/methods');
const { countTicks } = require('internal/process/task_queues');
const { openHandles, ownerOf, setHandleWatcher } = require('internal/native/open_handles');
const { Kind, LensNote, LensWants, NoteMark, Source } = require('internal/native/enums');
const { shared, kImmediatesWaiting, kNoted, kTicksWaiting } = require('internal/native/shared_state');
const { learnThen, setLensHooks } = require('internal/async/promise_hooks');
const { kOwner } = require('internal/native/stream_handle');
const { countImmediates } = require('internal/timers');
const { SafeMap, SafeWeakMap } = require('internal/util/safe');

// What the watchers want: the bits of native.wants().
const {
  subjects: kSubjects, words: kWords, promises: kPromises, handles: kHandles, details: kDetails, counts: kCounts,
  unfinished: kUnfinished,
} = LensWants;

// ---- Notes -----------------------------------------------------------------------------------

// Without a watcher for labels, what is created, has ended or is gone is only noted, and reported with
// what begins next, or when the loop continues: a call into C++ for each would cost more than all the rest.
const { id: kId, kind: kKind, trigger: kTrigger, last: kLast, size: kPerNote } = LensNote;
const { gone: kGone, end: kEnd } = NoteMark; // instead of the kind
const kMostNoted = 256 * kPerNote;
const notes = new Float64Array(kMostNoted);

function note(id, kind, trigger, last) {
  let at = shared[kNoted];
  if (at === kMostNoted) {
    native.report();
    at = 0;
  }
  notes[at + kId] = id;
  notes[at + kKind] = kind;
  notes[at + kTrigger] = trigger;
  notes[at + kLast] = last;
  shared[kNoted] = at + kPerNote;
}

// ---- Tasks -----------------------------------------------------------------------------------

function init(asyncId, type, resource, trigger) {
  // The frequent ones first, and without a look into a table.
  switch (type) {
    case 'TickObject':
      if (tickWords.size > 0 && tickWords.has(resource?.callback)) initWithLabel(asyncId, type, resource, trigger);
      else note(asyncId, Kind.tick, trigger, 0);
      break;
    case 'Immediate':
      note(asyncId, Kind.immediate, trigger, 0);
      break;
    case 'Microtask':
      note(asyncId, Kind.microtask, trigger, 0);
      break;
    case 'Timeout':
      note(asyncId, resource._repeat ? Kind.interval : Kind.timeout, trigger, resource._idleTimeout);
      break;
    case 'FSREQCALLBACK':
    case 'FSREQPROMISE': {
      const number = wordsOfFile(type, resource);
      if (number === undefined) initWithLabel(asyncId, type, resource, trigger);
      else note(asyncId, Kind.request, trigger, number);
      break;
    }
    default:
      // These cost so much by themselves that words for them do not matter.
      initWithLabel(asyncId, type, resource, trigger);
  }
}

// Repeated texts are passed once, and have numbers from then on.
const kMostWords = 5000; // a program can make up as many names as it likes
let words = 0;
const numbersOfWords = { __proto__: null };
const labelsOfType = { __proto__: null }; // type -> Map: key -> number of the label

function numberOf(word) {
  return numbersOfWords[word] ??= native.word(word);
}

function labelOf(type, resource) {
  const keyOf = kKeysOfType[type];
  if (keyOf === undefined) return describeTask(type, resource);
  const key = keyOf(resource);
  if (key === undefined) return describeTask(type, resource);
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
    labelOf(type, resource), numberOf(type), stepOf(type, resource));
}

// The words for a request on a file, as one number; undefined if it has none.
let wordsOfTarget = new SafeMap(); // path or descriptor -> [{ type, method, step, number }]
let folder; // of the program, by which paths are shortened

function wordsOfFile(type, request) {
  const { method, target } = wholeOf(request) ?? request;
  const step = request.method;
  if (folder !== currentFolder()) {
    folder = currentFolder();
    wordsOfTarget = new SafeMap();
  }
  const known = wordsOfTarget.get(target);
  for (let i = 0; i < known?.length; i++) {
    const each = known[i];
    if (each.step === step && each.method === method && each.type === type) return each.number;
  }
  if (words === kMostWords || (typeof target !== 'string' && typeof target !== 'number')) return undefined;
  words++;
  const number = native.requestWords(describeTask(type, request), type, stepOf(type, request));
  const entry = { type, method, step, number };
  if (known === undefined) wordsOfTarget.set(target, [entry]);
  else known[known.length] = entry;
  return number;
}

// What began last: an immediate forgets its callback before its end, and an event is not kept.
let lastResource;
let lastCallback;
let lastEvent;

function sourceOfBegun(resource, event) {
  lastResource = resource;
  lastEvent = event;
  const source = sourceOf(resource, event);
  if (source === Source.immediate) lastCallback = resource._onImmediate;
  return source;
}

// Where only figures are wanted.
function beforeToCount(asyncId, resource, event) {
  begin(asyncId, sourceOfBegun(resource, event), 0);
}

// Functions have numbers as well. To look one up takes longer than a callback: where a program makes a new
// function for each callback, C++ refuses after a while, and is not asked for the next kPause new functions.
const kPause = 256;
const functions = new SafeWeakMap(); // function -> its number
let lastFunction;
let lastNumber = 0;
let pause = 0;

function numberOfFunction(callback) {
  if (callback === lastFunction) return lastNumber;
  if (typeof callback !== 'function') return 0;
  let number = functions.get(callback);
  if (number === undefined) {
    if (pause > 0) {
      pause--;
      return 0;
    }
    number = native.functionNumber(callback);
    if (number === undefined) {
      pause = kPause;
      return 0;
    }
    functions.set(callback, number);
  }
  lastFunction = callback;
  lastNumber = number;
  return number;
}

// The first listener that is the program's. Unlike listeners(), a program cannot replace this.
function numberOfListener(listeners) {
  if (typeof listeners === 'function') return numberOfFunction(listeners.listener ?? listeners); // of once()
  for (let i = 0; i < listeners?.length; i++) {
    const number = numberOfFunction(listeners[i].listener ?? listeners[i]);
    if (number !== 0) return number;
  }
  return 0;
}

// Of the function that is about to run.
function numberOfNext(resource, event) {
  if (resource === undefined) return 0;
  if (event !== undefined) return numberOfListener(resource[kOwner]?._events?.[event]);
  return numberOfFunction(resource._onTimeout ?? resource._onImmediate ?? resource.callback ??
    wholeOf(resource)?.callback ?? resource.oncomplete);
}

function before(asyncId, resource, event, callback) {
  const number = callback !== undefined ? numberOfFunction(callback) : numberOfNext(resource, event);
  if (event === undefined) begin(asyncId, Source.other, number);
  else beginNamed(asyncId, Source.other, resource, event, number);
}

// Messages of HTTP are named also where no labels are wanted.
function beginNamed(asyncId, source, resource, event, number) {
  if (typeof resource?.head === 'string') native.beginLabelled(asyncId, source, event, describeEvent(event, resource));
  else beginEvent(asyncId, source, numberOf(event), number);
}

function beforeWithDetails(asyncId, resource, event, callback) {
  const source = sourceOfBegun(resource, event);
  const number = callback !== undefined ? numberOfFunction(callback) : numberOfNext(resource, event);
  if (event === undefined) begin(asyncId, source, number);
  else beginNamed(asyncId, source, resource, event, number);
}

function beforeWithLabel(asyncId, resource, event, given) {
  const source = sourceOfBegun(resource, event);
  if (event === undefined) begin(asyncId, source, 0);
  else native.beginLabelled(asyncId, source, event, describeEvent(event, resource));
  const callback = given ?? (resource === undefined ? undefined : callbackOf(resource, event));
  if (typeof callback === 'function') native.runs(callback);
}

// What runs was called with an error, or with the number of one.
function failed(error) {
  const code = typeof error === 'number' ? errname(error) : error?.code;
  if (typeof code === 'string') native.failed(code);
}

function after(asyncId) {
  end(asyncId);
}

function afterToNote(asyncId) {
  note(asyncId, kEnd, 0, 0);
}

function afterWithDetails(asyncId) {
  if (end(asyncId)) reportDetails(asyncId, executionAsyncResource());
  if (opened.length > 0) reportOpened();
}

function again(asyncId) {
  native.again(asyncId);
}

// The function of the program's that ran; undefined if it is not known.
function callbackOf(resource, event) {
  if (resource._onImmediate !== undefined) return lastCallback;
  if (event === undefined) {
    return resource._onTimeout ?? resource.callback ?? wholeOf(resource)?.callback ?? resource.oncomplete;
  }
  return resource[kOwner]?.listeners?.(event)[0];
}

function reportDetails(asyncId, resource) {
  const event = resource === lastResource ? lastEvent : undefined;
  const type = resource.constructor.name;
  const label = event !== undefined ? describeEvent(event, resource) :
    describeOperation(type === 'Timeout' || type === 'Immediate' ? type : type.toUpperCase(), resource);
  const request = servedRequest();
  native.details(asyncId, request === undefined || label.includes(request) ? label : `${label} (for ${request})`,
    callbackOf(resource, event));
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

function reportOpened() {
  const handles = opened;
  opened = [];
  for (const entry of handles) {
    const { handle, type } = entry;
    native.opened(handle[async_id_symbol], describeTask(type, handle));
    if (ownerOf(handle)?.connecting) opened.push(entry); // the peer is known later
  }
}

const handleWatcher = {
  opened(handle, type) {
    opened.push({ handle, type });
  },
  closed(handle) {
    const index = opened.findIndex((entry) => entry.handle === handle);
    if (index >= 0) opened.splice(index, 1);
    native.closed(handle[async_id_symbol]);
  },
};

function destroy(asyncId) {
  note(asyncId, kGone, 0, 0);
}

let lastCall = Number.MAX_SAFE_INTEGER; // far from the ids of tasks

// Something that is not a task but is shown as one.
function call(type, label, callback, promise) {
  const id = lastCall--;
  native.made(id, kindOf(type), promise === undefined ? 0 : promiseId(promise), undefined, label);
  begin(id, Source.other, 0);
  try {
    return callback();
  } finally {
    end(id);
    native.gone(id);
  }
}

// A message to another port is a subject, made by what sends it. It runs where it, or a message that was sent because of it,
// is received: so an answer of another thread is linked to what has asked for it.
function messageMade() {
  const id = lastCall--;
  native.made(id, Kind.resource, 0, undefined, 'message');
  return id;
}

function callFor(id, callback) {
  begin(id, Source.message, 0);
  try {
    return callback();
  } finally {
    end(id);
  }
}

// ---- Promises --------------------------------------------------------------------------------

function promiseInitWithLabel(promise, parent) {
  native.made(promiseId(promise), Kind.promise, 0, undefined, labelOf('PROMISE', promise),
    numberOf('PROMISE'), undefined, parent !== undefined);
}

// ----------------------------------------------------------------------------------------------

let watchesHandles = false;

function watchHandles(isWanted) {
  if (isWanted === watchesHandles) return;
  watchesHandles = isWanted;
  setHandleWatcher(isWanted ? handleWatcher : undefined);
  opened = isWanted ? openHandles() : [];
}

function update() {
  const wants = native.wants();
  native.report();
  const hasLabels = (wants & kWords) !== 0;
  const hasSubjects = (wants & kSubjects) !== 0;
  if (hasLabels || hasSubjects || wants & kDetails) keepWholes();
  setLens({
    needsResources: (wants & (kWords | kDetails)) !== 0,
    init: !hasSubjects ? undefined : hasLabels ? initWithLabel : init,
    before: hasLabels ? beforeWithLabel : !(wants & kDetails) ? before :
      hasSubjects ? beforeWithDetails : beforeToCount,
    after: wants & (kDetails | kHandles) ? afterWithDetails : hasLabels ? after : afterToNote,
    failed,
    again: hasSubjects ? again : undefined,
    destroy: hasSubjects ? destroy : undefined,
    callObserved: call,
    messageMade,
    callFor,
  });
  if (hasSubjects) traceOrigins();
  if (wants & kDetails) keepServed();
  const hasPromises = hasSubjects && (wants & kPromises) !== 0;
  if (hasPromises && hasLabels) learnThen();
  setLensHooks(!hasPromises ? {} : {
    // V8 calls functions of JavaScript faster than those of C++, and they those.
    init: hasLabels ? promiseInitWithLabel : (promise, parent) => promiseMade(promise, parent),
    before: (promise) => promiseBegins(promise),
    after: (promise) => promiseEnds(promise),
  });
  if (wants & kCounts) {
    countTicksMade();
    native.countMicrotasks();
  }
  watchHandles((wants & kHandles) !== 0);
  if (wants & kUnfinished) require('internal/lens/unfinished').startForEnd({ toLens: true });
}

// Also in the middle of a program, when a watcher has come that needs more than others.
function startLate() {
  native.setNotes(notes);
  native.answerLocation();
  native.answerDepths(countQueues);
  update();
}

// The main program is what runs first; `label` names it.
let mainLabel;

function start(label) {
  mainLabel = label;
  startLate();
  native.made(1, kindOf('main'), 0, undefined, label);
  begin(1, Source.main, 0);
}

function endOfMain() {
  if (end(1)) native.details(1, mainLabel, undefined);
  reportOpened();
}

module.exports = { endOfMain, start, startLate };
