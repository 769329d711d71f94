'use strict';
// File: a blob with a name and a date.

const { codes: { ERR_INVALID_THIS, ERR_MISSING_ARGS } } = require('internal/errors');
const { Blob } = require('internal/blob');
const { kClone, kDeserialize, makeTransferable } = require('internal/messaging/transferable');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kState = Symbol('state');

function checkFile(value) {
  if (value?.[kState] === undefined) throw new ERR_INVALID_THIS('File');
}

class File extends Blob {
  constructor(fileBits, fileName, options = {}) {
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('fileBits', 'fileName');
    super(fileBits, options);
    const { lastModified } = options ?? {};
    const time = lastModified === undefined ? Date.now() : +lastModified;
    this[kState] = { name: `${fileName}`.toWellFormed(), lastModified: Number.isNaN(time) ? 0 : time };
  }

  get name() {
    checkFile(this);
    return this[kState].name;
  }

  get lastModified() {
    checkFile(this);
    return this[kState].lastModified;
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    const { name, lastModified } = this[kState];
    return `File ${inspect({ size: this.size, type: this.type, name, lastModified }, {
      ...options,
      depth: options.depth == null ? null : options.depth - 1,
    })}`;
  }

  [kClone]() {
    return { data: { ...super[kClone]().data, ...this[kState] }, deserializeInfo: 'internal/blob/file:ClonedFile' };
  }

  [kDeserialize](data) {
    super[kDeserialize](data);
    this[kState] = { name: data.name, lastModified: data.lastModified };
  }
}

Object.defineProperties(File.prototype, {
  name: { __proto__: null, enumerable: true },
  lastModified: { __proto__: null, enumerable: true },
  [Symbol.toStringTag]: { __proto__: null, configurable: true, value: 'File' },
});

// What structuredClone() makes, to be filled in.
function ClonedFile() {
  return makeTransferable(ClonedFile);
}
ClonedFile.prototype = File.prototype;

module.exports = { ClonedFile, File };
