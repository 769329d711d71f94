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

// A stream of the bytes.
function streamOf(bytes) {
  const { Readable } = require('stream');
  let at = 0;
  class HeapSnapshotStream extends Readable {
    _read(size) {
      if (at === bytes.length) {
        this.push(null);
        return;
      }
      const end = Math.min(at + size, bytes.length);
      this.push(bytes.subarray(at, end));
      at = end;
    }
  }
  return new HeapSnapshotStream();
}

module.exports = { readSnapshotOptions, streamOf };
