'use strict';
// Functions that report to node:trace_events what happens in the middle of a function. Each is undefined while its
// categories are off, which is nearly always: callers check for that first.

const traced = {
  console: undefined, // (phase, name, data)
  connect: undefined, // (phase, id, the target of a connection that begins or the status of one that is made)
  require: undefined, // (request, the module that requires, the function that loads): returns what that returns
  rejections: undefined, // (how many more had no handler, how many more got one late)
};

module.exports = { traced };
