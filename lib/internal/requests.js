'use strict';
// What is under way in C++ and ends with one call (src/runtime/requests.h). A request is an object
// with a function oncomplete(error, value); C++ knows it by its number.
//
//     native.stat(table(), begin(request, 'FSREQCALLBACK'), path);

const {
  async_id_symbol, emitAfter, emitBefore, emitDestroy, initResource, trigger_async_id_symbol,
} = require('internal/async_hooks');

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

function complete(number, error, value) {
  const request = requests[number];
  requests[number] = undefined;
  free.push(number);
  const asyncId = request[async_id_symbol];
  emitBefore(asyncId, request[trigger_async_id_symbol], request);
  request.oncomplete(error, value);
  emitAfter(asyncId);
  emitDestroy(asyncId);
}

// All that are under way.
function activeRequests() {
  return requests.filter((request) => request !== undefined);
}

module.exports = { activeRequests, begin, table };
