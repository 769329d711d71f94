'use strict';
// Pictures of V8's heap, of this thread or of a Worker.

function readSnapshotOptions(options) {
  const { validateBoolean, validateObject } = require('internal/validators');
  if (options === undefined) return { exposeInternals: false, exposeNumericValues: false };
  validateObject(options, 'options');
  const { exposeInternals = false, exposeNumericValues = false } = options;
  validateBoolean(exposeInternals, 'options.exposeInternals');
  validateBoolean(exposeNumericValues, 'options.exposeNumericValues');
  return { exposeInternals, exposeNumericValues };
}

const kChunkSize = 64 * 1024;

// A stream of the bytes: all of them with the first read, as Node's; they are in memory anyway.
function streamOf(bytes) {
  const { Readable } = require('stream');
  class HeapSnapshotStream extends Readable {
    _read() {
      for (let at = 0; at < bytes.length; at += kChunkSize) this.push(bytes.subarray(at, at + kChunkSize));
      this.push(null);
    }
  }
  return new HeapSnapshotStream();
}

module.exports = { readSnapshotOptions, streamOf };
