'use strict';
// Which request of HTTP a callback serves: 'GET /path'. It goes with what the request's listener starts, as the stores of
// AsyncLocalStorage do, and is kept only for --blocked and the page of the lens.

const { enter, getStore } = require('internal/async_context_frame');

const kRequest = {}; // its key among the storages
let isKept = false;

function keepServed() {
  isKept = true;
}

// In a callback that is the beginning of a request.
function serves(head) {
  if (isKept) enter(kRequest, head);
}

function servedRequest() {
  return isKept ? getStore(kRequest) : undefined;
}

module.exports = { keepServed, servedRequest, serves };
