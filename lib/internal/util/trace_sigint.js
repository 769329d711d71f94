'use strict';
// util.setTraceSigInt()

const { codes: { ERR_WORKER_UNSUPPORTED_OPERATION } } = require('internal/errors');
const { setTraceSigint } = require('internal/process/signals');

function setTraceSigInt(enable) {
  if (!require('worker_threads').isMainThread) {
    throw new ERR_WORKER_UNSUPPORTED_OPERATION('Calling util.setTraceSigInt');
  }
  setTraceSigint(Boolean(enable));
}

module.exports = { setTraceSigInt };
