'use strict';
// The binding `crypto` for Node's own files. A job that runs on the thread pool is an asynchronous resource: C++ calls the
// functions below when it begins and when it ends.

const {
  async_id_symbol, emitAfter, emitBefore, emitDestroy, emitFailure, initResource, trigger_async_id_symbol,
} = require('internal/async_hooks');
const { check: checkPermission } = require('internal/process/permission');
const { others } = require('internal/native/requests');

const native = binding('crypto');

function beginJob(job, provider) {
  initResource(job, provider);
  others.add(job);
}

// Settles the promise of a Web Crypto job, or calls ondone().
function endJob(job, settle, error, result) {
  const asyncId = job[async_id_symbol];
  others.delete(job);
  emitBefore(asyncId, job[trigger_async_id_symbol], job);
  if (error !== undefined) emitFailure(error);
  if (settle === undefined) job.ondone(error, result);
  else settle(error, result);
  emitAfter(asyncId);
  emitDestroy(asyncId);
}

native.setJobHooks(beginJob, endJob, require('internal/errors/dom_exception'), () => checkPermission('openssl.store', ''));

module.exports = { ...native, Hash: require('internal/crypto/lazy_hash') };
