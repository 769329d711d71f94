'use strict';
// The functions and properties of process that are about the operating system, or about the program itself. What has
// to do with the loop (nextTick, exit, exceptions) is elsewhere.

const {
  ErrnoException,
  codes: {
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
    ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET, ERR_WORKER_UNSUPPORTED_OPERATION,
    ERR_UNKNOWN_SIGNAL,
  },
} = require('internal/errors');
const {
  parseFileMode, validateArray, validateFunction, validateObject, validateString,
} = require('internal/validators');
const { deprecate } = require('internal/util/deprecate');
const { getOptionValue } = require('internal/options');
const credentials = require('internal/process/credentials');
const { exitState } = require('internal/process/exit_state');
const measures = require('internal/process/measures');
const { emitWarning, startWarnings } = require('internal/process/warning');
const { startListeningIfSignal, stopListeningIfSignal } = require('internal/process/signals');
const facts = require('internal/process/facts');
const native = binding('process_methods');
const { createEnv } = binding('env');

// ---- Folder and files ---------------------------------------------------------------------------------------

let folder = ''; // what cwd() returned, until the directory changes

function wrappedCwd() {
  if (folder === '') folder = native.cwd();
  return folder;
}

// The same for the insides of other modules: undefined if it is gone.
function currentFolder() {
  try {
    return wrappedCwd();
  } catch {
    return undefined;
  }
}

function wrappedChdir(directory) {
  validateString(directory, 'directory');
  require('internal/process/permission').check('fs.read', directory);
  native.chdir(directory);
  folder = '';
}

function wrappedUmask(mask) {
  return native.umask(mask === undefined ? mask : parseFileMode(mask, 'mask'));
}

function loadEnvFile(path = undefined) {
  const file = path == null ? '.env' : require('internal/fs/utils').getValidatedPath(path);
  require('internal/process/permission').check('fs.read', `${file}`);
  if (native.loadEnvFile(file)) return;
  const error = new TypeError(`Contents of '${file}' should be a valid string.`);
  error.code = 'ERR_INVALID_ARG_TYPE';
  throw error;
}

// ---- Signals --------------------------------------------------------------------------------------------------

const kHarmless = ['SIGCHLD', 'SIGCONT', 'SIGPIPE', 'SIGSTOP', 'SIGTSTP', 'SIGTTIN', 'SIGTTOU', 'SIGURG', 'SIGWINCH'];

// If the signal has its default action.
function endsThisProcess(pid, number) {
  if (pid !== 0 && pid !== -1 && Math.abs(pid) !== process.pid) return false;
  const { signals } = binding('constants').os;
  const name = Object.keys(signals).find((key) => signals[key] === number);
  return name !== undefined && !kHarmless.includes(name) && process.listenerCount(name) === 0;
}

function kill(pid, sig) {
  if (pid != (pid | 0)) throw new ERR_INVALID_ARG_TYPE('pid', 'number', pid);
  const { signals } = binding('constants').os;
  let number = sig;
  if (sig !== (sig | 0)) {
    sig = sig || 'SIGTERM';
    if (!signals[sig]) throw new ERR_UNKNOWN_SIGNAL(sig);
    number = signals[sig];
  }
  if (exitState.writeProfiles !== undefined && endsThisProcess(pid | 0, number)) exitState.writeProfiles();
  const error = process._kill(pid | 0, number);
  if (error) throw new ErrnoException(error, 'kill');
  return true;
}

// ---- Replacing this program by another one ----------------------------------------------------------------------

function execve(execPath, args = [], env = process.env) {
  require('internal/util').emitExperimentalWarning('process.execve');
  if (!require('internal/worker/thread').isMainThread) {
    throw new ERR_WORKER_UNSUPPORTED_OPERATION('Calling process.execve');
  }
  require('internal/process/permission').check('child', `${execPath}`);
  validateString(execPath, 'execPath');
  validateArray(args, 'args');
  const isText = (value) => typeof value === 'string' && !value.includes('\0');
  args.forEach((arg, i) => {
    if (!isText(arg)) throw new ERR_INVALID_ARG_VALUE(`args[${i}]`, arg, 'must be a string without null bytes');
  });
  validateObject(env, 'env');
  const variables = Object.entries(env).map(([name, value]) => {
    if (isText(name) && isText(value)) return `${name}=${value}`;
    throw new ERR_INVALID_ARG_VALUE('env', env, 'must be an object with string keys and values without null bytes');
  });
  const channel = require('diagnostics_channel').channel('process.execve');
  if (channel.hasSubscribers) channel.publish({ execPath, args, env: variables });
  const [errno, text] = native.execve(execPath, args, variables);
  // Not an error of libuv's: its errno is positive.
  const code = require('util').getSystemErrorName(-errno);
  throw Object.assign(new Error(`${code}, ${text} '${execPath}'`), { errno, code, syscall: 'execve', path: execPath });
}

// ---- The program itself -----------------------------------------------------------------------------------------

function setUncaughtExceptionCaptureCallback(fn) {
  const { capture } = require('internal/process/execution');
  if (fn === null) {
    capture.callback = null;
    if (capture.others.length === 0) native.setAbortOnUncaught(true);
    return;
  }
  if (typeof fn !== 'function') throw new ERR_INVALID_ARG_TYPE('fn', ['Function', 'null'], fn);
  if (capture.callback !== null) throw new ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET();
  capture.callback = fn;
  native.setAbortOnUncaught(false);
}

function addUncaughtExceptionCaptureCallback(fn) {
  validateFunction(fn, 'fn');
  require('internal/process/execution').capture.others.push(fn);
  native.setAbortOnUncaught(false);
}

function hasUncaughtExceptionCaptureCallback() {
  return require('internal/process/execution').capture.callback !== null;
}

function setSourceMapsEnabled(val) {
  const { setSourceMapsSupport } = require('internal/source_map/support');
  setSourceMapsSupport(val, { __proto__: null, nodeModules: val, generatedCode: val });
}

// Of old, programs looked at the insides of Node with this. What they may see is what they could then.
const seenFromOutside = new Set(['os', 'zlib']);
const seenOfUtil = ['isExternal', 'isDate', 'isNativeError', 'isRegExp', 'isAsyncFunction', 'isPromise', 'isMap',
  'isSet', 'isMapIterator', 'isSetIterator', 'isArrayBuffer', 'isDataView', 'isAnyArrayBuffer', 'isArrayBufferView',
  'isTypedArray', 'isUint8Array'];

function oldUv() {
  const uv = { ...binding('uv') };
  if (getOptionValue('--pending-deprecation')) {
    uv.errname = deprecate(uv.errname, 'Directly calling process.binding(\'uv\').errname(<val>) is being deprecated. ' +
      'Please make sure to use util.getSystemErrorName() instead.', 'DEP0119');
  }
  return uv;
}

// The numbers with which events are written to the log of node:trace_events.
const kTracePhases = {
  BEGIN: 'B', END: 'E', COMPLETE: 'X', INSTANT: 'I', ASYNC_BEGIN: 'S', ASYNC_STEP_INTO: 'T', ASYNC_STEP_PAST: 'p',
  ASYNC_END: 'F', NESTABLE_ASYNC_BEGIN: 'b', NESTABLE_ASYNC_END: 'e', NESTABLE_ASYNC_INSTANT: 'n', FLOW_BEGIN: 's',
  FLOW_STEP: 't', FLOW_END: 'f', METADATA: 'M', COUNTER: 'C', SAMPLE: 'P', CREATE_OBJECT: 'N', SNAPSHOT_OBJECT: 'O',
  DELETE_OBJECT: 'D', MEMORY_DUMP: 'v', MARK: 'R', CLOCK_SYNC: 'c',
};

let constants;

function oldConstants() {
  return constants ??= makeConstants();
}

function makeConstants() {
  const { os, fs } = binding('constants');
  const trace = { __proto__: null };
  for (const name of Object.keys(kTracePhases)) trace[`TRACE_EVENT_PHASE_${name}`] = kTracePhases[name].charCodeAt(0);
  return {
    __proto__: null, os, fs, crypto: require('crypto').constants, zlib: require('zlib').constants, trace,
    internal: { __proto__: null, EXTENSIONLESS_FORMAT_JAVASCRIPT: 0, EXTENSIONLESS_FORMAT_WASM: 1 },
  };
}

// The text of each file of lib/. Packages list the names, to know which modules are builtin.
function oldNatives() {
  const { ids, source } = binding('builtins');
  const natives = {};
  for (const id of ids()) natives[id] = source(id);
  return natives;
}

function visibleBinding(name) {
  const id = `${name}`;
  if (id === 'constants') return oldConstants();
  if (id === 'natives') return oldNatives();
  if (id === 'uv') return oldUv();
  if (seenFromOutside.has(id)) return binding(id);
  if (id === 'util') {
    const types = require('internal/util/types');
    return Object.fromEntries(seenOfUtil.map((check) => [check, types[check]]));
  }
  if (id === 'spawn_sync') return require('internal/child_process').spawnSyncBinding;
  if (id === 'config') return { ...facts.config.variables, hasInspector: false };
  throw new Error(`No such module: ${id}`);
}

let bindingWarned = false;

function oldBinding(module) {
  if (!bindingWarned && getOptionValue('--pending-deprecation')) {
    bindingWarned = true;
    process.emitWarning('process.binding() is deprecated. Please use public APIs instead.', 'DeprecationWarning',
      'DEP0111');
  }
  return visibleBinding(module);
}

function _linkedBinding(module) {
  throw new Error(`No such binding: ${module}`);
}

// What Node's handles, streams and others have in common: a symbol first, for objects that mean something else by ref.
const kRef = Symbol.for('nodejs.ref');
const kUnref = Symbol.for('nodejs.unref');

function ref(maybeRefable) {
  const fn = maybeRefable?.[kRef] || maybeRefable?.ref;
  if (typeof fn === 'function') Reflect.apply(fn, maybeRefable, []);
}

function unref(maybeRefable) {
  const fn = maybeRefable?.[kUnref] || maybeRefable?.unref;
  if (typeof fn === 'function') Reflect.apply(fn, maybeRefable, []);
}

let allowedFlags;
let finalization;

// ---- Into the object ----------------------------------------------------------------------------------------------

function define(process, name, attributes) {
  Object.defineProperty(process, name, { __proto__: null, enumerable: true, configurable: true, ...attributes });
}

// Once, when the snapshot is made.
function install(process) {
  for (const name of ['version', 'versions', 'arch', 'platform', 'release', 'config']) {
    define(process, name, { value: facts[name] });
  }
  define(process, 'features', { value: facts.features, configurable: false });
  Object.assign(process, {
    _rawDebug(...args) { native._rawDebug(require('internal/util/inspect').format(...args)); },
    _kill: native._kill,
    _linkedBinding,
    binding: { binding(module) { return oldBinding(module); } }.binding,
    uptime: native.uptime,
    loadEnvFile,
    ...measures,
    constrainedMemory: native.constrainedMemory,
    availableMemory: native.availableMemory,
    kill,
    execve,
    ref,
    unref,
    ...credentials,
    setUncaughtExceptionCaptureCallback,
    addUncaughtExceptionCaptureCallback,
    hasUncaughtExceptionCaptureCallback,
    emitWarning,
    setSourceMapsEnabled,
    abort: native.abort,
    umask: wrappedUmask,
    chdir: wrappedChdir,
    cwd: wrappedCwd,
    debugPort: 9229,
  });
  define(process, 'sourceMapsEnabled', {
    get() { return require('internal/source_map/support').state.support.enabled; },
  });
  define(process, 'allowedNodeEnvironmentFlags', {
    get() {
      allowedFlags ??= require('internal/process/environment_flags').buildAllowedFlags();
      return allowedFlags;
    },
    // A plain value from then on, whatever it is.
    set(value) { define(process, 'allowedNodeEnvironmentFlags', { value, writable: true }); },
  });
  define(process, 'finalization', {
    get() {
      finalization ??= require('internal/process/finalization');
      return finalization;
    },
    set(value) { finalization = value; },
  });
  process.on('newListener', startListeningIfSignal);
  process.on('removeListener', stopListeningIfSignal);
}

function warnOfEnvValue() {
  process.emitWarning('Assigning any value other than a string, number, or boolean to a process.env property is ' +
    'deprecated. Please make sure to convert the value to a string before setting process.env with it.',
  'DeprecationWarning', 'DEP0104');
}

// At each start, when the options are known.
function start(process) {
  const pendingDeprecation = getOptionValue('--pending-deprecation') === true;
  let warned = false;
  const onOddValue = () => {
    if (warned) return;
    warned = true;
    warnOfEnvValue();
  };
  process.env = createEnv(pendingDeprecation ? onOddValue : undefined);
  native.defineProperties(process); // title, pid, ppid
  if (getOptionValue('--trace-uncaught')) native.keepStackOfUncaught();
  if (getOptionValue('--report-on-signal') || getOptionValue('--report-on-fatalerror')) {
    require('internal/process/report').start();
  }
  const title = getOptionValue('--title');
  if (title) process.title = title;
  startWarnings();
}

module.exports = { currentFolder, install, start };
