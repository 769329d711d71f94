'use strict';
// Which thread this is, and what belongs to the main thread alone.

const { codes: { ERR_WORKER_UNSUPPORTED_OPERATION } } = require('internal/errors');
const native = binding('worker');

const threadId = native.threadId();

// A function that throws; its replacement is marked, so that a program can see it.
function unavailable(name) {
  function unavailableInWorker() {
    throw new ERR_WORKER_UNSUPPORTED_OPERATION(name);
  }
  unavailableInWorker.disabled = true;
  return unavailableInWorker;
}

module.exports = {
  isMainThread: threadId === 0,
  threadId,
  threadName: native.threadName(),
  unavailable,
};
