'use strict';
// The many forms of the arguments of listen() and connect():
//
//     (options), (path), (port), (port, host), each followed by a callback
//
// as [options, callback or null]. An array made here is known by its symbol when it comes back.

const kNormalized = Symbol('normalizedArgs');

// "123" is a port, "abc" is a path.
function isPath(value) {
  return typeof value === 'string' && !(Number(value) >= 0);
}

function normalizeArgs(args) {
  if (args[0]?.[kNormalized]) return args[0];
  let options = {};
  const first = args[0];
  if (args.length > 0) {
    if (typeof first === 'object' && first !== null) {
      options = first;
    } else if (isPath(first)) {
      options.path = first;
    } else {
      options.port = first;
      if (args.length > 1 && typeof args[1] === 'string') options.host = args[1];
    }
  }
  const last = args[args.length - 1];
  const normalized = [options, typeof last === 'function' ? last : null];
  normalized[kNormalized] = true;
  return normalized;
}

module.exports = { isPath, kNormalized, normalizeArgs };
