'use strict';
// Promises that were rejected and have no handler. V8 reports when that happens and when a handler
// comes after all; what is left after the ticks and microtasks is reported.

const { RejectionEvent } = require('internal/native/enums');
const { shared, kHasRejection } = require('internal/native/shared_state');
const { getOptionValue } = require('internal/options');
const {
  async_id_symbol, trigger_async_id_symbol, callForLens, currentFrame, setFrame, pushContext, popContext,
} = require('internal/async_hooks');
const { SafeMap, SafeWeakMap } = require('internal/util/safe');
const { repls } = require('internal/process/execution');
const { traced } = require('internal/trace/traced');
const {
  triggerUncaughtException,
  noSideEffectsToString: detailString,
} = binding('errors');

const { noHandler: kNoHandler, handlerAdded: kHandlerAdded } = RejectionEvent;

let pending = new SafeMap(); // promise -> what is known of its rejection: to be reported
const reported = new SafeWeakMap(); // the same, of those that were
const handledLate = []; // were reported, and have a handler now
let count = 0; // numbers the rejections, for warnings

function promiseRejected(type, promise, reason) {
  if (type === kNoHandler) {
    pending.set(promise, {
      promise, reason, uid: ++count, domain: process.domain, repl: repls.current?.(), frame: currentFrame(),
    });
    shared[kHasRejection] = 1;
  } else if (type === kHandlerAdded && !pending.delete(promise)) {
    const info = reported.get(promise);
    if (info === undefined) return;
    reported.delete(promise);
    const warning = new Error(`Promise rejection was handled asynchronously (rejection id: ${info.uid})`);
    warning.name = 'PromiseRejectionHandledWarning';
    warning.id = info.uid;
    handledLate.push({ promise, warning });
    shared[kHasRejection] = 1;
  }
}

// For util.markPromiseAsHandled(), which V8 does not report.
function promiseHandled(promise) {
  promiseRejected(kHandlerAdded, promise, undefined);
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
    // A stack that throws when it is read is left out; the warning below replaces it.
  }
  process.emitWarning(warning);
}

// To the domain it happened in, if there is one. Returns whether it was handled.
function emitRejection({ domain, reason, promise }) {
  if (domain) return domain.emit('error', reason);
  const emit = () => process.emit('unhandledRejection', reason, promise);
  if (process.listenerCount('unhandledRejection') === 0) return emit();
  return callForLens('unhandledRejection', "'unhandledRejection' of process", emit, promise);
}

// The modes of --unhandled-rejections; each handles one rejection.
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

// In the context of the promise, if it has one, and in the frame it was rejected in.
function report(mode, info) {
  const { promise } = info;
  repls.ofRejection = info.repl;
  const asyncId = promise[async_id_symbol];
  if (asyncId !== undefined) pushContext(asyncId, promise[trigger_async_id_symbol], promise);
  const outer = currentFrame();
  setFrame(info.frame);
  try {
    mode(info);
  } finally {
    setFrame(outer);
    if (asyncId !== undefined) popContext();
  }
}

// Returns whether that may have left ticks or rejections.
function processPromiseRejections() {
  if (handledLate.length === 0 && pending.size === 0) return false;
  while (handledLate.length > 0) {
    const { promise, warning } = handledLate.shift();
    if (traced.rejections !== undefined) traced.rejections(0, 1);
    if (!process.emit('rejectionHandled', promise)) process.emitWarning(warning);
  }
  const mode = modes[getOptionValue('--unhandled-rejections') ?? 'throw'];
  // One that gets its handler while those before it are reported is reported all the same.
  const batch = pending;
  pending = new SafeMap();
  for (const info of batch.values()) {
    reported.set(info.promise, info);
    if (traced.rejections !== undefined) traced.rejections(1, 0);
    report(mode, info);
  }
  return true;
}

module.exports = { processPromiseRejections, promiseHandled, promiseRejected };
