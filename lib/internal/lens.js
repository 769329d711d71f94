'use strict';
// Tells the lens (include/rondo/lens.h) of what is made and what runs here.

const { setLens } = require('internal/async_hooks');
const { describeEvent, describeTask, kindOf, stepOf } = require('internal/lens_words');

const native = binding('lens');

// What the watchers want, in the order of the bits of native.wants().
const kSubjects = 1;
const kLabels = 2;
const kPromises = 4;

function init(asyncId, type, cause, resource) {
  native.made(asyncId, kindOf(type, resource), cause, resource._idleTimeout);
}

function initWithLabel(asyncId, type, cause, resource) {
  native.made(asyncId, kindOf(type, resource), cause, resource._idleTimeout,
    describeTask(type, resource), type, stepOf(type, resource));
}

function before(asyncId) {
  native.begin(asyncId, undefined, undefined);
}

function beforeWithLabel(asyncId, resource, event) {
  if (event === undefined) native.begin(asyncId, undefined, undefined);
  else native.begin(asyncId, event, describeEvent(event, resource));
}

function after(asyncId) {
  native.end(asyncId);
}

function again(asyncId) {
  native.again(asyncId);
}

function destroy(asyncId) {
  native.gone(asyncId);
}

let lastEvent = Number.MAX_SAFE_INTEGER; // far from the ids of tasks

// Something that is no task but shows as one.
function call(type, label, callback) {
  const id = lastEvent--;
  native.made(id, kindOf(type), 0, undefined, label);
  native.begin(id, undefined, undefined);
  try {
    return callback();
  } finally {
    native.end(id);
    native.gone(id);
  }
}

// Again whenever a watcher has come or gone.
function update() {
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
    again: hasSubjects ? again : undefined,
    destroy: hasSubjects ? destroy : undefined,
    call,
  });
}

// The main program is what runs first; `label` names it.
function start(label) {
  update();
  native.made(1, kindOf('main'), 0, undefined, label, undefined);
  native.begin(1, undefined, undefined);
}

function endOfMain() {
  native.end(1);
}

module.exports = { endOfMain, start, update };
