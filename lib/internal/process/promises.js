'use strict';
// Promises that were rejected and have no handler. V8 tells when that happens and when a handler
// comes after all; what is left after the ticks and microtasks is reported.

const { shared, kHasRejection } = require('internal/shared_state');
const { getOptionValue } = require('internal/options');
const {
  async_id_symbol, trigger_async_id_symbol, callForLens, pushContext, popContext,
} = require('internal/async_hooks');
const { repls } = require('internal/process/execution');
const {
  triggerUncaughtException,
  noSideEffectsToString: detailString,
} = binding('errors');

// Of v8::PromiseRejectEvent.
const kRejectWithNoHandler = 0;
const kHandlerAddedAfterReject = 1;
const kRejectAfterResolved = 2;

const unhandled = new WeakMap(); // promise -> what is known of its rejection
let pending = []; // to be reported
let handledLate = []; // were reported, and have a handler now
let count = 0; // numbers the rejections, for warnings

function setHasRejection() {
  shared[kHasRejection] = pending.length !== 0 || handledLate.length !== 0 ? 1 : 0;
}

function promiseRejected(type, promise, reason) {
  if (type === kRejectWithNoHandler) {
    const info = {
      promise, reason, uid: ++count, warned: false, domain: process.domain,
      repl: repls.current?.(),
    };
    unhandled.set(promise, info);
    pending.push(info);
  } else if (type === kHandlerAddedAfterReject) {
    const info = unhandled.get(promise);
    if (info === undefined) return;
    unhandled.delete(promise);
    if (info.warned) {
      const warning = new Error('Promise rejection was handled asynchronously ' +
                                `(rejection id: ${info.uid})`);
      warning.name = 'PromiseRejectionHandledWarning';
      warning.id = info.uid;
      handledLate.push({ promise, warning });
    } else {
      pending = pending.filter((other) => other !== info);
    }
  } else {
    const kind = type === kRejectAfterResolved ? 'reject' : 'resolve';
    if (process.listenerCount('multipleResolves') === 0) return;
    warnOfMultipleResolves();
    process.emit('multipleResolves', kind, promise, reason);
    return;
  }
  setHasRejection();
}

let hasWarnedOfMultipleResolves = false;

function warnOfMultipleResolves() {
  if (hasWarnedOfMultipleResolves) return;
  hasWarnedOfMultipleResolves = true;
  process.emitWarning('The multipleResolves event has been deprecated.', 'DeprecationWarning',
    'DEP0160');
}

class UnhandledPromiseRejection extends Error {
  code = 'ERR_UNHANDLED_REJECTION';
  constructor(reason) {
    super('This error originated either by throwing inside of an async function without a catch ' +
          'block, or by rejecting a promise which was not handled with .catch(). The promise ' +
          `rejected with the reason "${detailString(reason)}".`);
    this.name = 'UnhandledPromiseRejection';
  }
}

function isErrorLike(value) {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'stack');
}

function asError(reason) {
  return isErrorLike(reason) ? reason : new UnhandledPromiseRejection(reason);
}

function warnOf({ reason, uid }) {
  const warning = new Error('Unhandled promise rejection. This error originated either by ' +
    'throwing inside of an async function without a catch block, or by rejecting a promise which ' +
    'was not handled with .catch(). To terminate the node process on unhandled promise ' +
    'rejection, use the CLI flag `--unhandled-rejections=strict` (see ' +
    'https://nodejs.org/api/cli.html#cli_unhandled_rejections_mode). ' +
    `(rejection id: ${uid})`);
  warning.name = 'UnhandledPromiseRejectionWarning';
  try {
    if (isErrorLike(reason)) {
      warning.stack = reason.stack;
      process.emitWarning(reason.stack, 'UnhandledPromiseRejectionWarning');
    } else {
      process.emitWarning(detailString(reason), 'UnhandledPromiseRejectionWarning');
    }
  } catch {
    // A stack that throws when it is read says nothing; the warning below stands for it.
  }
  process.emitWarning(warning);
}

// To the domain it happened in, if there is one. Whether somebody took it.
function emitRejection({ domain, reason, promise }) {
  if (domain) return domain.emit('error', reason);
  const emit = () => process.emit('unhandledRejection', reason, promise);
  if (process.listenerCount('unhandledRejection') === 0) return emit();
  return callForLens('unhandledRejection', "'unhandledRejection' of process", emit, promise);
}

// What --unhandled-rejections chooses; each is told of one rejection.
const modes = {
  __proto__: null,
  strict(info) {
    triggerUncaughtException(asError(info.reason), true);
    if (!emitRejection(info)) warnOf(info);
  },
  throw(info) {
    if (emitRejection(info)) return;
    triggerUncaughtException(asError(info.reason), true);
  },
  warn(info) {
    emitRejection(info);
    warnOf(info);
  },
  none(info) {
    emitRejection(info);
  },
  'warn-with-error-code'(info) {
    if (emitRejection(info)) return;
    warnOf(info);
    process.exitCode = 1;
  },
};

// In the context of the promise, if it has one.
function report(mode, info) {
  const { promise } = info;
  repls.ofRejection = info.repl;
  const asyncId = promise[async_id_symbol];
  if (asyncId === undefined) {
    mode(info);
    return;
  }
  pushContext(asyncId, promise[trigger_async_id_symbol], promise);
  try {
    mode(info);
  } finally {
    popContext();
  }
}

// Returns whether that may have left ticks or rejections.
function processPromiseRejections() {
  if (handledLate.length === 0 && pending.length === 0) return false;
  let reported = false;
  while (handledLate.length > 0) {
    const { promise, warning } = handledLate.shift();
    if (!process.emit('rejectionHandled', promise)) process.emitWarning(warning);
    reported = true;
  }
  const mode = modes[getOptionValue('--unhandled-rejections') ?? 'throw'];
  let left = pending.length;
  while (left-- > 0) {
    const info = pending.shift();
    info.warned = true;
    report(mode, info);
    reported = true;
  }
  return reported || pending.length !== 0;
}

module.exports = { promiseRejected, processPromiseRejections };
