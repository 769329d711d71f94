'use strict';
// The end of a program: uncaught exceptions, 'beforeExit', 'exit'.

const compileCache = require('internal/modules/compile_cache_state');
const { fatalExceptionStackEnhancers } = require('internal/errors');
const { inspect } = require('internal/util/inspect');
const { isNativeError } = require('internal/util/types');
const { validateInteger } = require('internal/validators');
const { exitState } = require('internal/process/exit_state');
const { getOptionValue } = require('internal/options');
const { callForLens, flushDestroyed, hasLens, unwind } = require('internal/async_hooks');
const { isDecorated, sourceLine } = binding('modules');
const { exit: exitNow } = binding('task_queue');
const { _rawDebug: print } = binding('process_methods');

const kGenericError = 1;
const kUnsettledTopLevelAwait = 13;
const kNoFatalException = 6; // process._fatalException() is not a function any more

// ---- Exceptions ------------------------------------------------------------------------------

// process.setUncaughtExceptionCaptureCallback(): replaces all handlers. Those of
// addUncaughtExceptionCaptureCallback() are asked before the listeners, the last first.
const capture = { callback: null, others: [] };

function isTakenByOthers(error) {
  for (let i = capture.others.length - 1; i >= 0; i--) {
    if (capture.others[i](error) === true) return true;
  }
  return false;
}

// For node:repl, which takes the errors of what a command has started. `current` returns the REPL
// whose command is running; `take` is given an error and returns whether it belongs to a REPL.
const repls = { current: undefined, take: undefined, ofRejection: undefined };

// The program's replacement of process._fatalException.
function callReplaced(error, fromPromise) {
  if (typeof process._fatalException !== 'function') return kNoFatalException;
  return process._fatalException(error, fromPromise) === false ? process.exitCode ?? kGenericError : true;
}

const kAbortOption = /^--abort[-_]on[-_]uncaught[-_]exception$/;

// V8 aborts by itself when a callback throws; unhandled rejections it does not see.
function abortsOnRejection() {
  const given = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(' ')];
  return given.some((argument) => kAbortOption.test(argument)) && require('worker_threads').isMainThread;
}

// Called by C++, which says so. Returns true if the error was handled, false if it aborts the process, else the
// code to exit with. What a handler throws goes to C++ as well, and ends the program.
function fatalException(error, fromPromise, isByEngine) {
  if (fromPromise && isByEngine === true && abortsOnRejection()) return false;
  if (isByEngine === true && process._fatalException !== fatalException) return callReplaced(error, fromPromise);
  const type = fromPromise ? 'unhandledRejection' : 'uncaughtException';
  process.emit('uncaughtExceptionMonitor', error, type);
  const isReported = repls.take !== undefined && repls.take(error, fromPromise);
  if (!isReported && capture.callback !== null) {
    capture.callback(error);
  } else if (!isReported && !isTakenByOthers(error) && !process.emit('uncaughtException', error, type)) {
    try {
      if (!exitState.isExiting) {
        exitState.isExiting = true;
        process.exitCode = kGenericError;
        if (hasLens()) emitForLens('exit');
        else process.emit('exit', kGenericError);
        compileCache.cache?.persist();
        exitState.writeProfiles?.();
        exitState.flushHooks?.();
        reportExit('uncaught', kGenericError);
      }
    } catch {
      // Nothing to add to the error that ends the program.
    }
    require('internal/process/report').reportUncaught(error);
    return process.exitCode ?? kGenericError;
  }
  // What was thrown has put the ticks off until after the next operation: see that there is one.
  require('internal/timers').setImmediate(() => {});
  unwind();
  return true;
}

// An object that throws when it is asked is shown as if it were none.
function hasReadableStack(error) {
  try {
    void error.stack;
    return true;
  } catch {
    return false;
  }
}

// '' for what cannot be made a string: a symbol, an object that throws.
function plainText(value) {
  try {
    return typeof value === 'symbol' ? '' : String(value);
  } catch {
    return '';
  }
}

const kHint = '(Use `node --trace-uncaught ...` to show where the exception was thrown)';
const { toString: errorToString } = Error.prototype;

// Called by C++, which cannot read a stack that throws.
function stackOf(error) {
  try {
    return error.stack;
  } catch {
    return undefined;
  }
}

// Called by C++. `where` is the line of source with its carets, or empty; `thrownAt` the stack, for
// --trace-uncaught.
function reportException(error, where, thrownAt) {
  let isObject = (typeof error === 'object' && error !== null) || typeof error === 'function';
  // What did not compile, or is not JSON, was thrown elsewhere than where the mistake is.
  where = sourceLine(error) ?? where;
  let text;
  if (isNativeError(error) && !hasReadableStack(error)) {
    text = `${where}\n${errorToString.call(error)}\n${kHint}`;
  } else if (isNativeError(error)) {
    const stack = fatalExceptionStackEnhancers.beforeInspector(error);
    if (stack !== undefined) Reflect.set(error, 'stack', stack); // not where it is frozen
    text = fatalExceptionStackEnhancers.afterInspector(error);
    if (where !== '' && !isDecorated(error)) text = `${where}\n${text}`;
  } else {
    isObject = isObject && hasReadableStack(error);
    text = isObject ? inspect(error, { customInspect: false }) : plainText(error);
    text = `\n${where}${text}`;
    if (!isObject && thrownAt === '') text += `\n${kHint}`;
  }
  if (thrownAt !== '') text += `\nThrown at:\n${thrownAt}`;
  const version = getOptionValue('--extra-info-on-fatal-exception') === false ? '' : `\n\nNode.js ${process.version}`;
  print(`${text}${version}`);
}

// ---- Exit ------------------------------------------------------------------------------------

let exitCode;

// The number that is meant, or undefined.
function toExitCode(value) {
  if (value === null || value === undefined) return undefined;
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  validateInteger(number === number ? number : value, 'code');
  return number;
}

// As the lens sees it. Without one, the event is emitted directly: each function on the way is a
// frame in the stacks of listeners.
function emitForLens(event) {
  const emit = () => process.emit(event, process.exitCode || 0);
  if (process.listenerCount(event) > 0) callForLens(event, `'${event}' of process`, emit);
  else emit();
}

let atExit; // for internal/lens/unfinished

function onExit(callback) {
  atExit = callback;
}

// Once, when the last listener has run. `way`: 'natural', 'exit' or 'uncaught'.
function reportExit(way, code) {
  const callback = atExit;
  atExit = undefined;
  callback?.(way, code);
}

function emitExit(way = 'natural') {
  let announced = 0;
  if (!exitState.isExiting) {
    exitState.isExiting = true;
    if (way === 'natural' && !process.exitCode &&
        require('internal/modules/run_main').reportUnsettledAwaits()) {
      process.exitCode = kUnsettledTopLevelAwait;
    }
    // A listener that takes the code back (undefined) leaves that of a program which just ended, as in Node.
    if (way === 'natural') announced = process.exitCode || 0;
    if (hasLens()) emitForLens('exit');
    else process.emit('exit', process.exitCode || 0);
  }
  // Also if a listener of 'exit' called process.exit(): then this is the end.
  compileCache.cache?.persist();
  exitState.writeProfiles?.();
  exitState.flushHooks?.();
  const code = process.exitCode ?? announced;
  if (atExit !== undefined) reportExit(way, code);
  return code;
}

// For --trace-exit.
function traceExit() {
  const trace = {};
  Error.captureStackTrace(trace, traceExit);
  const where = trace.stack.slice(trace.stack.indexOf('\n'));
  const { isMainThread, threadId } = require('worker_threads');
  const thread = isMainThread ? '' : `, thread:${threadId}`;
  const prefix = `(node:${process.pid}${thread}) WARNING: `;
  process._rawDebug(`${prefix}Exited the environment with code ${process.exitCode ?? 0}${where}\n`);
}

function exit(code) {
  if (arguments.length !== 0) process.exitCode = code;
  if (getOptionValue('--trace-exit')) traceExit();
  // Through the property: programs replace it.
  process.reallyExit(emitExit('exit'));
}

let atLoopEnd; // for the lens

function onLoopEnd(callback) {
  atLoopEnd = callback;
}

function emitBeforeExit() {
  flushDestroyed();
  atLoopEnd?.();
  if (hasLens()) emitForLens('beforeExit');
  else process.emit('beforeExit', process.exitCode || 0);
}

function install(process) {
  Object.defineProperty(process, '_exiting', {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() { return exitState.isExiting; },
    set(value) { exitState.isExiting = Boolean(value); },
  });
  process._fatalException = fatalException;
  process.exit = exit;
  process.reallyExit = function reallyExit(code = undefined) { exitNow(code | 0); };
  Object.defineProperty(process, 'exitCode', {
    __proto__: null,
    enumerable: true,
    configurable: false,
    get() { return exitCode; },
    set(value) {
      exitCode = toExitCode(value);
    },
  });
}

module.exports = {
  capture,
  emitBeforeExit,
  emitExit,
  fatalException,
  install,
  onExit,
  onLoopEnd,
  repls,
  reportException,
  stackOf,
};
