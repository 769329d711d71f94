'use strict';
// Tells the lens (include/rondo/lens.h) of what is made and what runs here.

const { setLens } = require('internal/async_hooks');
const { describeEvent, describeTask, kindOf, stepOf } = require('internal/lens_words');
const { setLensHooks } = require('internal/promise_hooks');

const native = binding('lens');

// What the watchers want, in the order of the bits of native.wants().
const kSubjects = 1;
const kLabels = 2;
const kPromises = 4;

function init(asyncId, type, resource, trigger) {
  native.made(asyncId, kindOf(type, resource), trigger, resource._idleTimeout);
}

function initWithLabel(asyncId, type, resource, trigger) {
  native.made(asyncId, kindOf(type, resource), trigger, resource._idleTimeout,
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

let lastCall = Number.MAX_SAFE_INTEGER; // far from the ids of tasks

// Something that is no task but shows as one.
function call(type, label, callback) {
  const id = lastCall--;
  native.made(id, kindOf(type), 0, undefined, label);
  native.begin(id, undefined, undefined);
  try {
    return callback();
  } finally {
    native.end(id);
    native.gone(id);
  }
}

// ---- Promises --------------------------------------------------------------------------------

// Ids far from those of async_hooks, under a key that no program can see: that it is watched must
// not change what a program prints.
let lastPromise = 2 ** 40;
let kPromiseId;

function promiseId(promise) {
  return promise[kPromiseId] ??= ++lastPromise;
}

function promiseInit(promise) {
  init(promiseId(promise), 'PROMISE', promise, 0);
}

function promiseInitWithLabel(promise) {
  initWithLabel(promiseId(promise), 'PROMISE', promise, 0);
}

function promiseBefore(promise) {
  native.begin(promiseId(promise), undefined, undefined);
}

function promiseAfter(promise) {
  native.end(promiseId(promise));
}

// ----------------------------------------------------------------------------------------------

// Again whenever a watcher has come or gone.
function update() {
  const wants = native.wants();
  if (wants < 0) {
    setLens(null);
    setLensHooks({});
    return;
  }
  const hasLabels = (wants & kLabels) !== 0;
  const hasSubjects = (wants & kSubjects) !== 0;
  setLens({
    init: !hasSubjects ? undefined : hasLabels ? initWithLabel : init,
    before: hasLabels ? beforeWithLabel : before,
    after,
    again: hasSubjects ? again : undefined,
    destroy: hasSubjects ? destroy : undefined,
    call,
  });
  setLensHooks(!hasSubjects || !(wants & kPromises) ? {} : {
    init: hasLabels ? promiseInitWithLabel : promiseInit,
    before: promiseBefore,
    after: promiseAfter,
  });
}

// The main program is what runs first; `label` names it.
function start(label) {
  kPromiseId = native.hiddenKey();
  update();
  native.made(1, kindOf('main'), 0, undefined, label);
  native.begin(1, undefined, undefined);
}

function endOfMain() {
  native.end(1);
}

module.exports = { endOfMain, start, update };
