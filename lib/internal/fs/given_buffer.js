'use strict';
// The option `buffer` of readFile(): the content goes into memory of the program.

const { Buffer } = require('buffer');
const { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } = require('internal/errors').codes;
const { isArrayBufferView } = require('internal/util/types');
const { validateBuffer } = require('internal/validators');

const kPiece = 512 * 1024; // read at a time, of a file whose size is known

function validateGivenBuffer({ buffer }) {
  if (buffer === undefined || typeof buffer === 'function' || isArrayBufferView(buffer)) return;
  throw new ERR_INVALID_ARG_TYPE('options.buffer', ['Buffer', 'TypedArray', 'DataView', 'Function'], buffer);
}

function bufferFor(options, size) {
  const { buffer } = options;
  if (typeof buffer !== 'function') return buffer;
  const result = options.buffer(size);
  validateBuffer(result, 'options.buffer()');
  return result;
}

// Used as Content of internal/fs/whole_files is.
class GivenBuffer {
  // size: 0 if it is unknown.
  constructor(options, size) {
    this.name = typeof options.buffer === 'function' ? 'options.buffer().byteLength' : 'options.buffer.byteLength';
    const view = bufferFor(options, size);
    this.buffer = Buffer.isBuffer(view) ? view : Buffer.from(view.buffer, view.byteOffset, view.byteLength);
    if (size > view.byteLength) this.#refuse(`is smaller than the file size of ${size} bytes`);
    this.size = size;
    this.filled = 0;
    this.isProbing = false; // whether there is more than fits
    this.done = false;
  }

  #refuse(reason) {
    throw new ERR_INVALID_ARG_VALUE(this.name, this.buffer.byteLength, reason);
  }

  next() {
    const { buffer, filled, size } = this;
    if (size !== 0) return [buffer, filled, Math.min(kPiece, size - filled)];
    this.isProbing = filled === buffer.byteLength;
    return this.isProbing ? [Buffer.allocUnsafeSlow(1), 0, 1] : [buffer, filled, buffer.byteLength - filled];
  }

  took(count) {
    if (this.isProbing && count !== 0) this.#refuse('is too small to contain the entire file');
    this.filled += count;
    this.done = count === 0 || this.filled === this.size;
  }

  take(encoding) {
    const result = this.buffer.subarray(0, this.filled);
    return encoding ? result.toString(encoding) : result;
  }
}

module.exports = { GivenBuffer, validateGivenBuffer };
