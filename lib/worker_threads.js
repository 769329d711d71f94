'use strict';
// node:worker_threads

const {
  BroadcastChannel, MessageChannel, MessagePort, isMarkedAsUntransferable, markAsUntransferable,
  moveMessagePortToContext, receiveMessageOnPort,
} = require('internal/messaging/message_channel');
const { markAsUncloneable } = require('internal/messaging/transferable');
const { locks } = require('internal/web/locks');
const limits = require('internal/worker/limits');
const { postMessageToThread } = require('internal/worker/messaging');
const { getEnvironmentData, setEnvironmentData } = require('internal/worker/shared');
const { isMainThread, threadId, threadName } = require('internal/worker/thread');
const { SHARE_ENV, Worker } = require('internal/worker/worker');

module.exports = {
  isInternalThread: false,
  isMainThread,
  MessagePort,
  MessageChannel,
  markAsUncloneable,
  markAsUntransferable,
  isMarkedAsUntransferable,
  moveMessagePortToContext,
  receiveMessageOnPort,
  resourceLimits: isMainThread ? {} : limits.toObject(binding('worker').limits()),
  postMessageToThread,
  threadId,
  threadName,
  SHARE_ENV,
  Worker,
  // The last two are set by internal/worker/main.
  parentPort: null,
  workerData: null,
  BroadcastChannel,
  setEnvironmentData,
  getEnvironmentData,
  locks,
};
