'use strict';
// The running task, its trigger, and the hooks. Every task (a tick, a timer, an immediate, a
// request, a promise) has an id and the id of the task that made it. While its callback runs, it
// is on a stack of contexts: that is what executionAsyncId() and friends look at.
//
// A task costs next to nothing without hooks: the code that creates one does
//
//     this[id] = newAsyncId();
//     this[trigger] = getDefaultTriggerAsyncId();
//     if (asyncState.observed) emitInit(this[id], 'Timeout', this[trigger], this);
//
// and the code that runs it calls emitBefore() and emitAfter() around the callback. `observed` is true
// when hooks are on (createHook).
//
// The stores of AsyncLocalStorage are in a frame (internal/async_context_frame). V8 carries it along
// for promises and microtasks; every other task has the frame it was made in as a property, and
// emitBefore() and emitAfter() change frames.
//
// When a callback throws, the stack stays as it is until the handlers of uncaughtException have
// run; unwind() then takes it down.

const { kLocationsLeft, kRunning, shared } = require('internal/native/shared_state');
const native = binding('async_wrap');
const { currentFrame, setFrame } = native;

const asyncState = {
  observed: false, // hooks are on, or a lens records everything
  needsResources: false, // and an object for each task
  hooksEnabled: false, // hooks of createHook() are on
  framesInUse: false, // there has been a frame of AsyncLocalStorage
  ticksObserved: false, // `observed`, of ticks: they may have a frame, or have to be counted
  keepersObserved: false, // `observed`, of what may keep the program alive: there may be a keeper
  named: false, // whether HTTP requests get names: for a lens, or --blocked
};

const async_id_symbol = Symbol('asyncId');
const trigger_async_id_symbol = Symbol('triggerId');
const frame_symbol = Symbol('kAsyncContextFrame');

// ---- Ids and the stack -----------------------------------------------------------------------

let lastId = 1; // 1 is the main script
let executionId = 0;
let triggerId = 0;
let defaultTrigger = -1;

let depth = 0;
// Plain arrays: what a Float64Array gives back would be a new object each time.
const outerIds = [0, 0]; // of each depth, what ran outside of it: id, trigger
const resources = [undefined]; // of each depth, what runs
const outerFrames = [undefined]; // of each depth, the frame outside of what runs
const topLevelResource = {};

function newAsyncId() {
  return ++lastId;
}

function executionAsyncId() {
  return executionId;
}

function triggerAsyncId() {
  return triggerId;
}

// What runs may have no object to stand for it (undefined was pushed): it gets one when a program
// asks.
function executionAsyncResource() {
  return depth === 0 ? topLevelResource : resources[depth - 1] ??= {};
}

// The same without creating one: undefined where there is none.
function currentResource() {
  return depth === 0 ? undefined : resources[depth - 1];
}

function hasContext() {
  return depth > 0;
}

function getDefaultTriggerAsyncId() {
  return defaultTrigger < 0 ? executionId : defaultTrigger;
}

// What `block` makes was made for `trigger`, not for what runs: a socket for its server.
function defaultTriggerAsyncIdScope(trigger, block, ...args) {
  const outer = defaultTrigger;
  defaultTrigger = trigger === undefined ? -1 : trigger;
  try {
    return Reflect.apply(block, null, args);
  } finally {
    defaultTrigger = outer;
  }
}

function pushContext(asyncId, trigger, resource) {
  const at = depth * 2;
  outerIds[at] = executionId;
  outerIds[at + 1] = triggerId;
  resources[depth] = resource;
  depth++;
  executionId = asyncId;
  triggerId = trigger;
}

function popContext() {
  if (depth === 0) return;
  depth--;
  resources[depth] = undefined;
  executionId = outerIds[depth * 2];
  triggerId = outerIds[depth * 2 + 1];
}

// For a batch of tasks: the next one replaces the last. Only inside a pushContext(), which
// an uncaught exception may have taken down meanwhile.
function switchContext(asyncId, trigger, resource) {
  if (depth === 0) {
    pushContext(asyncId, trigger, resource);
    return;
  }
  resources[depth - 1] = resource;
  executionId = asyncId;
  triggerId = trigger;
}

function clearAsyncIdStack() {
  while (depth > 0) {
    resources[--depth] = undefined;
    outerFrames[depth] = undefined;
  }
  executionId = 0;
  triggerId = 0;
  defaultTrigger = -1;
  shared[kRunning] = 0;
}

// After an uncaught exception was dealt with: what was running ends here.
function unwind() {
  if (hooks.after.length > 0 || lens !== null) {
    while (depth > 0) {
      if (executionId === 0) popContext();
      else emitAfter(executionId);
    }
  }
  clearAsyncIdStack();
}

// ---- Frames of AsyncLocalStorage --------------------------------------------------------------

// Before the first frame is made: until then no task needs to have one.
function useFrames() {
  if (asyncState.framesInUse) return;
  asyncState.framesInUse = true;
  update();
}

function keepFrame(resource) {
  resource[frame_symbol] = currentFrame();
}

// For what runs now, after pushContext(). What has no object is a microtask, in its frame already, or a
// tick that has none.
function enterFrame(resource) {
  outerFrames[depth - 1] = currentFrame();
  if (resource !== undefined) setFrame(resource[frame_symbol]);
}

// Before popContext(). What began before the first frame was made had none around it.
function leaveFrame() {
  if (depth === 0 || !asyncState.framesInUse) return;
  setFrame(outerFrames[depth - 1]);
  outerFrames[depth - 1] = undefined;
}

// ---- The lens --------------------------------------------------------------------------------

// The hooks of internal/lens/report: { init, before, after, failed, again, destroy, callObserved, messageMade,
// callFor }, or null.
// Without `init` a task is as cheap as without a lens; with `needsResources` there is an object
// for each, with its callback. Promises are its own affair: ids that they
// would take here are ids that programs see.
let lens = null;

function setLens(watcher) {
  lens = watcher;
  update();
}

// Calls what is not a task of its own, but appears in the lens: events of
// the process, modules. `type` is one of internal/lens/descriptions; `promise` is what has led to it.
function callForLens(type, label, callback, promise) {
  return lens === null ? callback() : lens.callObserved(type, label, callback, promise);
}

function hasLens() {
  return lens !== null;
}

// Whether the lens records single calls, so that such calls appear in it.
function lensKeepsStory() {
  return lens !== null && lens.init !== undefined;
}

// A message is about to be sent: a number, by which callForMessage() calls its receiver, or that of an answer to it.
function lensMessageMade() {
  return lens.messageMade();
}

function callForMessage(number, callback) {
  return lensKeepsStory() ? lens.callFor(number, callback) : callback();
}

// A timer restarts. Hooks are not called.
function emitAgain(asyncId) {
  if (lens?.again) lens.again(asyncId);
}

// keeper(resource, type) is called when something is created that may keep the program alive or hold it
// up: handles, requests, timers, immediates, ticks that are objects.
let keeper = null;
let keepsAll = false; // it is called for every handle, request and timer; for others as C++ allows
let countsTicks = false;

function setKeeper(fn, all) {
  keeper = fn;
  keepsAll = all;
  update();
}

function countTicksMade() {
  countsTicks = true;
  update();
}

// For --blocked, whose thread needs to know what runs while the loop cannot answer.
let isPublished = false;
let lastEvent; // what a handle called back for, and the id of the handle
let lastEventId = 0;

function publishRunning() {
  isPublished = true;
  update();
}

// What the handle that runs calls back for; undefined if it is not known, or no handle.
function currentEvent() {
  return executionId === lastEventId ? lastEvent : undefined;
}

// ---- Hooks -----------------------------------------------------------------------------------

// Under these an AsyncHook has its functions.
const hookSymbols = {
  init: Symbol('init'),
  before: Symbol('before'),
  after: Symbol('after'),
  destroy: Symbol('destroy'),
  promiseResolve: Symbol('promiseResolve'),
};

const noPromisesSymbol = Symbol('kNoPromiseHook'); // a hook without promises

const noHooks = listHooks([]);

let hooks = noHooks; // never changed, but replaced
let nextHooks = null; // takes over when the current calls are done
let calling = 0;

function listHooks(all) {
  const having = (symbol) => all.filter((hook) => hook[symbol] !== undefined);
  return {
    all,
    init: having(hookSymbols.init),
    before: having(hookSymbols.before),
    after: having(hookSymbols.after),
    destroy: having(hookSymbols.destroy),
    promiseResolve: having(hookSymbols.promiseResolve),
    ofPromises: all.filter((hook) => !hook[noPromisesSymbol]),
  };
}

// The hooks of a list that follow promises.
function ofPromises(list) {
  return hooks.ofPromises.length === hooks.all.length ? list : list.filter((hook) => !hook[noPromisesSymbol]);
}

function changeHooks(all) {
  nextHooks = listHooks(all);
  if (calling === 0) applyHooks();
}

function applyHooks() {
  hooks = nextHooks;
  nextHooks = null;
  asyncState.hooksEnabled = hooks.all.length > 0;
  update();
}

function enableHook(hook) {
  const { all } = nextHooks ?? hooks;
  if (!all.includes(hook)) changeHooks([...all, hook]);
}

function disableHook(hook) {
  const { all } = nextHooks ?? hooks;
  if (all.includes(hook)) changeHooks(all.filter((other) => other !== hook));
}

// An error in a hook cannot be handled: the program ends.
function fatalError(error) {
  if (typeof error?.stack === 'string') {
    process._rawDebug(error.stack);
  } else {
    const shown = { message: String(error) };
    Error.captureStackTrace(shown, fatalError);
    process._rawDebug(shown.stack);
  }
  if (process.execArgv.includes('--abort-on-uncaught-exception')) process.abort();
  process.exit(1);
}

function callHooks(list, symbol, asyncId) {
  calling++;
  try {
    for (let i = 0; i < list.length; i++) list[i][symbol](asyncId);
  } catch (error) {
    fatalError(error);
  } finally {
    if (--calling === 0 && nextHooks !== null) applyHooks();
  }
}

function callInit(asyncId, type, trigger, resource, list = hooks.init) {
  const symbol = hookSymbols.init;
  calling++;
  try {
    for (let i = 0; i < list.length; i++) list[i][symbol](asyncId, type, trigger, resource);
  } catch (error) {
    fatalError(error);
  } finally {
    if (--calling === 0 && nextHooks !== null) applyHooks();
  }
}

function emitInit(asyncId, type, trigger, resource) {
  if (lens?.init) lens.init(asyncId, type, resource, trigger);
  if (hooks.init.length > 0) callInit(asyncId, type, trigger, resource);
}

// The same for what may keep the program alive.
function emitKeeperInit(asyncId, type, trigger, resource) {
  if (asyncState.observed) emitInit(asyncId, type, trigger, resource);
  if (keepsAll || shared[kLocationsLeft] > 0) noteKeeper(resource, type);
}

// The same for what is over soon: it may only hold the program up.
function emitBriefInit(asyncId, type, trigger, resource) {
  if (asyncState.observed) emitInit(asyncId, type, trigger, resource);
  if (shared[kLocationsLeft] > 0) noteKeeper(resource, type);
}

// Also for an object of the program's whose handle is made later.
function noteKeeper(object, type) {
  if (keeper !== null) keeper(object, type);
}

let isReporting = false; // there are hooks for the begin or end of callbacks

// For the lens: `event` is what a handle calls back for; `callback` is the function that runs, where `resource`
// does not have it.
function emitBefore(asyncId, trigger, resource, event, callback) {
  pushContext(asyncId, trigger, resource);
  if (asyncState.framesInUse) enterFrame(resource);
  if (isReporting) reportBefore(asyncId, resource, event, callback);
}

function reportBefore(asyncId, resource, event, callback) {
  if (isPublished) {
    shared[kRunning] = asyncId;
    if (event !== undefined) {
      lastEvent = event;
      lastEventId = asyncId;
    }
  }
  if (lens !== null) lens.before(asyncId, resource, event, callback);
  if (hooks.before.length > 0) callHooks(hooks.before, hookSymbols.before, asyncId);
}

// After emitBefore(): what is called back for has failed, with an error or with its number.
function emitFailure(error) {
  if (lens?.failed) lens.failed(error);
}

function emitAfter(asyncId) {
  if (isReporting) reportAfter(asyncId);
  if (asyncState.framesInUse) leaveFrame();
  popContext();
}

function reportAfter(asyncId) {
  if (hooks.after.length > 0) callHooks(hooks.after, hookSymbols.after, asyncId);
  if (lens !== null) lens.after(asyncId);
  if (isPublished) shared[kRunning] = depth > 1 ? outerIds[depth * 2 - 2] : 0;
}

// A callback that exists only in C++: no hook hears of it, but it is a step of the loop.
function reportStep(asyncId, resource, event) {
  if (lens === null) return;
  lens.before(asyncId, resource, event);
  lens.after(asyncId);
}

// Under the name that Node's own files know.
function enabledHooksExist() {
  return asyncState.hooksEnabled;
}

function hasHooks(name) {
  return hooks[name].length > 0;
}

// ---- The end of a resource -------------------------------------------------------------------

// Told later, from the check phase, all at once: a resource may end in a collection of garbage,
// when no JavaScript can run.
const kTellAtOnce = 16384; // many are reported sooner, for a program that never gets there
let destroyed = [];
let queue; // in C++

function destroyQueue() {
  return queue ??= new native.DestroyQueue(flushDestroyed);
}

function emitDestroy(asyncId) {
  if (lens?.destroy) lens.destroy(asyncId);
  if (hooks.destroy.length === 0 || asyncId <= 0) return;
  const count = destroyed.push(asyncId);
  if (count === 1) destroyQueue().schedule();
  else if (count === kTellAtOnce) native.enqueueMicrotask(flushDestroyed);
}

// Also called before beforeExit: nothing may be left.
function flushDestroyed() {
  for (;;) {
    const collected = queue?.take();
    const ids = collected === undefined ? destroyed : destroyed.concat(collected);
    if (ids.length === 0) return;
    destroyed = [];
    for (let i = 0; i < ids.length; i++) callHooks(hooks.destroy, hookSymbols.destroy, ids[i]);
  }
}

// The resource ends when it is not referenced any more.
function destroyWhenCollected(resource, asyncId) {
  destroyQueue().watch(resource, asyncId);
}

// It was ended by hand.
function forgetCollected(asyncId) {
  queue?.unwatch(asyncId);
}

// ---- Promises --------------------------------------------------------------------------------

// A promise that is older than the hooks gets its ids when it is first seen.
function track(promise, parent) {
  if (promise[async_id_symbol] !== undefined) return;
  if (parent !== undefined) track(parent);
  promise[async_id_symbol] = ++lastId;
  promise[trigger_async_id_symbol] = parent === undefined ?
    getDefaultTriggerAsyncId() : parent[async_id_symbol];
}

function promiseInit(promise, parent) {
  track(promise, parent);
  const asyncId = promise[async_id_symbol];
  if (hooks.destroy.length > 0) destroyWhenCollected(promise, asyncId);
  if (hooks.init.length > 0) {
    callInit(asyncId, 'PROMISE', promise[trigger_async_id_symbol], promise, ofPromises(hooks.init));
  }
}

function promiseBefore(promise) {
  track(promise);
  const asyncId = promise[async_id_symbol];
  pushContext(asyncId, promise[trigger_async_id_symbol], promise);
  if (hooks.before.length > 0) callHooks(ofPromises(hooks.before), hookSymbols.before, asyncId);
}

function promiseAfter(promise) {
  track(promise);
  const asyncId = promise[async_id_symbol];
  if (hooks.after.length > 0) callHooks(ofPromises(hooks.after), hookSymbols.after, asyncId);
  // Not so if the hooks were switched on by this very callback.
  if (asyncId === executionId) popContext();
}

function promiseResolve(promise) {
  track(promise);
  callHooks(hooks.promiseResolve, hookSymbols.promiseResolve, promise[async_id_symbol]);
}

const { setOwnHooks } = require('internal/async/promise_hooks');
let promiseHooks = 0; // 0: none, 1: all but the last, 2: all

function update() {
  const isUsed = asyncState.hooksEnabled;
  asyncState.observed = isUsed || lens?.init !== undefined;
  asyncState.needsResources = isUsed || (lens?.init !== undefined && lens.needsResources);
  asyncState.ticksObserved = asyncState.observed || asyncState.framesInUse || countsTicks;
  isReporting = isPublished || lens !== null || hooks.before.length > 0 || hooks.after.length > 0;
  asyncState.keepersObserved = asyncState.observed || keeper !== null;
  asyncState.named = isPublished || lens !== null;
  const wanted = hooks.ofPromises.length === 0 ? 0 : hooks.promiseResolve.length > 0 ? 2 : 1;
  if (wanted === promiseHooks) return;
  promiseHooks = wanted;
  setOwnHooks(wanted === 0 ? {} : {
    init: promiseInit,
    before: promiseBefore,
    after: promiseAfter,
    settled: wanted === 2 ? promiseResolve : undefined,
  });
}

// ---- For what waits in C++ -------------------------------------------------------------------

// Makes a request or a handle a task: `resource` gets its ids.
function initResource(resource, type) {
  const asyncId = resource[async_id_symbol] = newAsyncId();
  const trigger = resource[trigger_async_id_symbol] = getDefaultTriggerAsyncId();
  if (asyncState.framesInUse) keepFrame(resource);
  if (asyncState.keepersObserved) emitKeeperInit(asyncId, type, trigger, resource);
  return resource;
}

// Calls back in the context of such a resource.
function callInContext(resource, event, callback, receiver, ...args) {
  const asyncId = resource[async_id_symbol];
  emitBefore(asyncId, resource[trigger_async_id_symbol], resource, event);
  const result = Reflect.apply(callback, receiver, args);
  emitAfter(asyncId);
  return result;
}

// A callback that runs once, later, straight from the loop, as a task of the given type.
function bindCallback(callback, type, resource = {}) {
  initResource(resource, type);
  const asyncId = resource[async_id_symbol];
  const trigger = resource[trigger_async_id_symbol];
  return function (...args) {
    emitBefore(asyncId, trigger, resource);
    // Not `finally`: the handlers of uncaughtException still run in this context.
    const result = Reflect.apply(callback, this, args);
    emitAfter(asyncId);
    emitDestroy(asyncId);
    return result;
  };
}

module.exports = {
  asyncState,
  async_id_symbol,
  trigger_async_id_symbol,
  frame_symbol,
  symbols: { async_id_symbol, trigger_async_id_symbol },
  newAsyncId,
  executionAsyncId,
  triggerAsyncId,
  executionAsyncResource,
  currentResource,
  getDefaultTriggerAsyncId,
  defaultTriggerAsyncIdScope,
  pushContext,
  popContext,
  switchContext,
  hasContext,
  clearAsyncIdStack,
  unwind,
  emitInit,
  emitKeeperInit,
  emitBriefInit,
  noteKeeper,
  emitBefore,
  emitAfter,
  emitAgain,
  emitDestroy,
  emitFailure,
  reportStep,
  hookSymbols,
  noPromisesSymbol,
  enabledHooksExist,
  hasHooks,
  enableHook,
  disableHook,
  useFrames,
  keepFrame,
  leaveFrame,
  currentFrame,
  setFrame,
  setLens,
  setKeeper,
  countTicksMade,
  currentEvent,
  publishRunning,
  flushDestroyed,
  destroyWhenCollected,
  forgetCollected,
  initResource,
  callForLens,
  hasLens,
  lensKeepsStory,
  lensMessageMade,
  callForMessage,
  callInContext,
  bindCallback,
};
