'use strict';
// Tells the lens (include/rondo/lens.h) of what is made and what runs here.

const { setLens } = require('internal/async_hooks');
const { describeEvent, describeTask, kindOf } = require('internal/lens_words');
const { setLensHooks } = require('internal/promise_hooks');

const native = binding('lens');

// What the watchers want, in the order of the bits of native.wants().
const kSubjects = 1;
const kLabels = 2;
const kPromises = 4;

function init(asyncId, type, resource) {
  native.made(asyncId, kindOf(type, resource), resource._idleTimeout, undefined, undefined);
}

function initWithLabel(asyncId, type, resource) {
  native.made(asyncId, kindOf(type, resource), resource._idleTimeout, describeTask(type, resource), type);
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

function destroy(asyncId) {
  native.gone(asyncId);
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
  init(promiseId(promise), 'PROMISE', promise);
}

function promiseInitWithLabel(promise) {
  initWithLabel(promiseId(promise), 'PROMISE', promise);
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
    destroy: hasSubjects ? destroy : undefined,
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
  native.made(1, kindOf('main'), undefined, label, undefined);
  native.begin(1, undefined, undefined);
}

function endOfMain() {
  native.end(1);
}

module.exports = { endOfMain, start, update };
