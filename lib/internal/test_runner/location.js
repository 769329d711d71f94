'use strict';
// Where the program calls.

const { overrideStackTrace } = require('internal/errors');
const { fileURLToPath } = require('internal/url');

// { line, column, file } of the caller of `callee`; undefined if that is not a script. The file may be a URL.
function callerOf(callee) {
  const { stackTraceLimit } = Error;
  const holder = {};
  overrideStackTrace.set(holder, (error, frames) => frames[0]);
  Error.stackTraceLimit = 1;
  Error.captureStackTrace(holder, callee);
  const frame = holder.stack;
  Error.stackTraceLimit = stackTraceLimit;
  const file = frame?.getScriptNameOrSourceURL?.();
  if (!file) return undefined;
  return { __proto__: null, line: frame.getLineNumber(), column: frame.getColumnNumber(), file };
}

// With the file as a path.
function toPath(location) {
  if (location?.file.startsWith('file://')) location.file = fileURLToPath(location.file);
  return location;
}

module.exports = { callerOf, toPath };
