'use strict';
// The hooks of promises, which V8 has one set of: those of the lens, of internal/lens/unfinished, of
// async_hooks, and those that programs add with v8.promiseHooks, run one after the other.

const { validatePlainFunction } = require('internal/validators');
const { setPromiseHooks } = binding('async_wrap');

const kKinds = ['init', 'before', 'after', 'settled'];

let ofLens = {};
let ofUnfinished = {};
let own = {};
const added = { init: [], before: [], after: [], settled: [] };

function combine(kind) {
  const hooks = [...added[kind]];
  if (own[kind] !== undefined) hooks.unshift(own[kind]);
  if (ofUnfinished[kind] !== undefined) hooks.unshift(ofUnfinished[kind]);
  if (ofLens[kind] !== undefined) hooks.unshift(ofLens[kind]);
  if (hooks.length < 2) return hooks[0];
  return (promise, parent) => {
    for (const hook of hooks) hook(promise, parent);
  };
}

function update() {
  setPromiseHooks(...kKinds.map(combine));
}

// For async_hooks: { init, before, after, settled }, each a function or undefined.
function setOwnHooks(hooks) {
  own = hooks;
  update();
}

// For internal/lens/report: the same.
function setLensHooks(hooks) {
  ofLens = hooks;
  update();
}

// For internal/lens/unfinished: the same.
function setUnfinishedHooks(hooks) {
  ofUnfinished = hooks;
  update();
}

// Shows C++ what a call of then() looks like inside its hook, to distinguish it from an await: that of a
// promise which never comes to anything.
let knowsThen = false;

function learnThen() {
  if (knowsThen) return;
  knowsThen = true;
  const never = new Promise(() => {});
  const { learnThen: learn } = binding('lens');
  setPromiseHooks((promise, parent) => {
    if (parent !== undefined) learn();
  });
  never.then();
  update();
}

// What a hook throws must not get into the middle of whatever the promise is used for.
function guard(hook) {
  return (promise, parent) => {
    try {
      hook(promise, parent);
    } catch (error) {
      binding('errors').triggerUncaughtException(error, false);
    }
  };
}

function add(kind, hook) {
  validatePlainFunction(hook, `${kind}Hook`);
  const guarded = guard(hook);
  added[kind].push(guarded);
  update();
  return () => {
    const index = added[kind].indexOf(guarded);
    if (index === -1) return;
    added[kind].splice(index, 1);
    update();
  };
}

function createHook({ init, before, after, settled } = {}) {
  const given = { init, before, after, settled };
  const stops = [];
  for (const kind of kKinds) {
    if (given[kind] !== undefined) stops.push(add(kind, given[kind]));
  }
  return () => {
    for (const stop of stops) stop();
  };
}

// Functions without names, as Node shows them.
const [onInit, onBefore, onAfter, onSettled] = kKinds.map((kind) => (hook) => add(kind, hook));

module.exports = {
  learnThen,
  promiseHooks: { createHook, onInit, onBefore, onAfter, onSettled },
  setLensHooks,
  setOwnHooks,
  setUnfinishedHooks,
};
