'use strict';
// process.dlopen(), and what C++ calls for the asynchronous operations of native addons (src/runtime/napi/).

const asyncHooks = require('internal/async_hooks');
const { getOptionValue } = require('internal/options');
const native = binding('addons');

const { asyncState, currentFrame, emitAfter, emitBefore, emitDestroy, emitInit, emitKeeperInit, popContext, setFrame } = asyncHooks;

// ---- Asynchronous operations -----------------------------------------------------------------------------------------

// A task is what async_hooks knows of one. An object that the addon has given as the resource is not kept alive by it.
function init(given, type, keepsAlive) {
  const resource = given ?? {};
  const task = {
    __proto__: null,
    asyncId: asyncHooks.newAsyncId(),
    trigger: asyncHooks.getDefaultTriggerAsyncId(),
    resource: given === undefined ? resource : undefined,
    given: given === undefined ? undefined : new WeakRef(given),
    // Work and functions for threads have none in Node either.
    frame: !keepsAlive && asyncState.framesInUse ? currentFrame() : undefined,
  };
  if (keepsAlive) {
    if (asyncState.keepersObserved) emitKeeperInit(task.asyncId, type, task.trigger, resource);
  } else if (asyncState.observed) {
    emitInit(task.asyncId, type, task.trigger, resource);
  }
  return task;
}

// Without `inFrame`, what runs has no store of AsyncLocalStorage.
function before(task, inFrame) {
  const resource = task.resource ?? (task.given === undefined ? undefined : task.given.deref()) ?? {};
  emitBefore(task.asyncId, task.trigger, resource);
  if (asyncState.framesInUse) setFrame(inFrame ? task.frame : undefined);
}

function after(task) {
  emitAfter(task.asyncId);
}

// After an exception, of which the hooks hear nothing.
function abandon() {
  asyncHooks.leaveFrame();
  popContext();
}

function destroy(task) {
  emitDestroy(task.asyncId);
}

// Callbacks of addons for versions before 10 drop what they throw.
function warn() {
  process.emitWarning('Uncaught N-API callback exception detected, please run node with option ' +
    '--force-node-api-uncaught-exceptions-policy=true to handle those exceptions properly.',
                      'DeprecationWarning', 'DEP0168');
}

// ---- Loading ---------------------------------------------------------------------------------------------------------

let isPrepared = false;

function prepare() {
  if (isPrepared) return;
  isPrepared = true;
  native.setFunctions(init, before, after, abandon, destroy, warn);
  if (getOptionValue('--force-node-api-uncaught-exceptions-policy')) native.reportAll();
}

function toObject(value) {
  if (value === undefined || value === null) throw new TypeError('Cannot convert undefined or null to object');
  return Object(value);
}

// The arguments of process.dlopen(module, filename[, flags]).
function load(args) {
  const { ERR_DLOPEN_DISABLED, ERR_MISSING_ARGS } = require('internal/errors').codes;
  if (getOptionValue('--addons') === false || !require('internal/process/permission').isGranted('addon')) {
    throw new ERR_DLOPEN_DISABLED();
  }
  if (args.length < 2) {
    const error = new ERR_MISSING_ARGS('module', 'filename');
    error.message = 'process.dlopen needs at least 2 arguments';
    throw error;
  }
  const module = toObject(args[0]);
  const exports = toObject(module.exports);
  const filename = `${args[1]}`;
  const flags = args.length > 2 ? args[2] | 0 : require('os').constants.dlopen.RTLD_LAZY;
  const { filename: file } = module;
  const url = typeof file === 'string' ? require('internal/url').pathToFileURL(file).href : '';
  prepare();
  native.load(module, exports, filename, url, flags);
}

module.exports = { load };
