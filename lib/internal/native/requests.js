'use strict';
// Operations in C++ that end with one call (src/runtime/glue/requests.h). A request is an object
// with a function oncomplete(error, value); C++ knows it by its number.
//
//     native.stat(table(), begin(request, 'FSREQCALLBACK'), path);

const {
  async_id_symbol, emitAfter, emitBefore, emitDestroy, emitFailure, initResource, trigger_async_id_symbol,
} = require('internal/async_hooks');
const { openHandles } = require('internal/native/open_handles');

const requests = [];
const free = []; // numbers that can be used again
let native;

function table() {
  return native ??= new (binding('requests').Requests)(complete);
}

function begin(request, type) {
  initResource(request, type);
  const number = free.length > 0 ? free.pop() : requests.length;
  requests[number] = request;
  return number;
}

// The request of this number.
function requestOf(number) {
  return requests[number];
}

function complete(number, error, value) {
  const request = requests[number];
  const asyncId = request[async_id_symbol];
  emitBefore(asyncId, request[trigger_async_id_symbol], request);
  if (error !== null) emitFailure(error);
  try {
    request.oncomplete(error, value);
  } finally {
    requests[number] = undefined;
    free[free.length] = number;
  }
  emitAfter(asyncId);
  emitDestroy(asyncId);
}

// Requests that C++ knows otherwise, while they are in progress: connections that are being made.
const others = new Set();

// All in progress, including the one that calls back now.
function activeRequests() {
  const writes = openHandles().map(({ handle }) => handle.pendingWrite);
  return [...requests, ...others, ...writes].filter((request) => request !== undefined);
}

module.exports = { activeRequests, begin, complete, others, requestOf, table };
