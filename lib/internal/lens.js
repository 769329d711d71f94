'use strict';
// Tells the lens (include/rondo/lens.h) of what is made and what runs here.

const { setLens } = require('internal/async_hooks');
const { describeEvent, describeTask, kindOf, kKinds } = require('internal/lens_words');

const native = binding('lens');
const {
  immediate: kImmediate, microtask: kMicrotask, promise: kPromise, tick: kTick,
} = kKinds;

// What the watchers want, in the order of the bits of native.wants().
const kSubjects = 1;
const kLabels = 2;
const kPromises = 4;

// Where nobody wants labels, what is made and what is gone is only noted, and told at the next
// begin or end: going to C++ for it would cost more than all the rest. Four numbers each, as
// src/runtime/bindings/lens.cpp reads them.
const kNotes = 256;
const kPerNote = 4;
const kGone = -1; // in the place of the kind
let notes; // Float64Array
let noted = 0; // how many of its numbers are in use

function note(asyncId, kind, cause, delay) {
  if (noted === notes.length) tellNotes();
  notes[noted] = asyncId;
  notes[noted + 1] = kind;
  notes[noted + 2] = cause;
  notes[noted + 3] = delay;
  noted += kPerNote;
}

function tellNotes() {
  const count = noted;
  noted = 0;
  native.tell(count);
}

function init(asyncId, type, cause, resource) {
  // The frequent ones first, and without a look into a table.
  switch (type) {
    case 'TickObject':
      note(asyncId, kTick, cause, 0);
      break;
    case 'PROMISE':
      note(asyncId, kPromise, cause, 0);
      break;
    case 'Immediate':
      note(asyncId, kImmediate, cause, 0);
      break;
    case 'Timeout':
      note(asyncId, kindOf(type, resource), cause, resource._idleTimeout);
      break;
    case 'Microtask':
      note(asyncId, kMicrotask, cause, 0);
      break;
    default:
      // These cost so much by themselves that words for them do not matter.
      tellNotes();
      initWithLabel(asyncId, type, cause, resource);
  }
}

function initWithLabel(asyncId, type, cause, resource) {
  native.made(asyncId, kindOf(type, resource), cause, resource._idleTimeout,
    describeTask(type, resource), type);
}

function before(asyncId, resource, event) {
  const count = noted;
  noted = 0;
  if (event === undefined) native.begin(asyncId, count);
  else native.beginEvent(asyncId, count, event, undefined);
}

function beforeWithLabel(asyncId, resource, event) {
  if (event === undefined) native.begin(asyncId, 0);
  else native.beginEvent(asyncId, 0, event, describeEvent(event, resource));
}

function after(asyncId) {
  const count = noted;
  noted = 0;
  native.end(asyncId, count);
}

function destroy(asyncId) {
  note(asyncId, kGone, 0, 0);
}

function destroyAtOnce(asyncId) {
  native.gone(asyncId);
}

// Again whenever a watcher has come or gone.
function update() {
  if (notes === undefined) native.setNotes(notes = new Float64Array(kNotes * kPerNote));
  tellNotes();
  const wants = native.wants();
  if (wants < 0) {
    setLens(null);
    return;
  }
  const hasLabels = (wants & kLabels) !== 0;
  const hasSubjects = (wants & kSubjects) !== 0;
  setLens({
    init: !hasSubjects ? undefined : hasLabels ? initWithLabel : init,
    promises: hasSubjects && (wants & kPromises) !== 0,
    before: hasLabels ? beforeWithLabel : before,
    after,
    destroy: !hasSubjects ? undefined : hasLabels ? destroyAtOnce : destroy,
  });
}

// The main program is what runs first; `label` names it.
function start(label) {
  update();
  native.made(1, kindOf('main'), 0, undefined, label, undefined);
  native.begin(1, 0);
}

function endOfMain() {
  after(1);
}

module.exports = { endOfMain, start, update };
