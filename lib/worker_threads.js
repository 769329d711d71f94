'use strict';
// node:worker_threads, as far as one thread goes: ports, and what a program asks to learn that it
// is on the main thread.

const EventEmitter = require('events');
const {
  codes: {
    ERR_FEATURE_UNAVAILABLE_ON_PLATFORM, ERR_INVALID_ARG_TYPE, ERR_WORKER_MESSAGING_FAILED,
    ERR_WORKER_MESSAGING_SAME_THREAD, ERR_WORKER_PATH,
  },
} = require('internal/errors');
const {
  BroadcastChannel, MessageChannel, MessagePort, isMarkedAsUntransferable, markAsUntransferable, receiveMessageOnPort,
} = require('internal/message_channel');
const { markAsUncloneable } = require('internal/transferable');
const { isURL } = require('internal/url');
const { validateNumber } = require('internal/validators');

const SHARE_ENV = Symbol.for('nodejs.worker_threads.SHARE_ENV');

const environmentData = new Map();

function setEnvironmentData(key, value) {
  if (value === undefined) environmentData.delete(key);
  else environmentData.set(key, value);
}

function getEnvironmentData(key) {
  return environmentData.get(key);
}

class Worker extends EventEmitter {
  constructor(filename, options = {}) {
    super();
    if (!isURL(filename)) {
      if (typeof filename !== 'string') {
        throw new ERR_INVALID_ARG_TYPE('filename', ['string', 'URL'], filename);
      }
      if (!options.eval && !/^(?:\/|\.\.?[/\\])/.test(filename)) {
        throw new ERR_WORKER_PATH(filename);
      }
    }
    throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('worker_threads.Worker');
  }
}

const threadId = 0;

// There is no other thread to send to.
async function postMessageToThread(toThread, value, transferList, timeout) {
  if (typeof transferList === 'number' && timeout === undefined) timeout = transferList;
  if (timeout !== undefined) validateNumber(timeout, 'timeout', 0);
  if (toThread === threadId) throw new ERR_WORKER_MESSAGING_SAME_THREAD();
  throw new ERR_WORKER_MESSAGING_FAILED();
}

module.exports = {
  isInternalThread: false,
  isMainThread: true,
  MessagePort,
  MessageChannel,
  markAsUncloneable,
  markAsUntransferable,
  isMarkedAsUntransferable,
  receiveMessageOnPort,
  resourceLimits: {},
  postMessageToThread,
  threadId,
  threadName: '',
  SHARE_ENV,
  Worker,
  parentPort: null,
  workerData: null,
  BroadcastChannel,
  setEnvironmentData,
  getEnvironmentData,
};
