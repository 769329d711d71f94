'use strict';
// File: a blob with a name and a date.

const { codes: { ERR_MISSING_ARGS } } = require('internal/errors');
const { Blob } = require('internal/blob');

const kInspect = Symbol.for('nodejs.util.inspect.custom');

function toWellFormed(text) {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    '\ufffd');
}

class File extends Blob {
  #name;
  #lastModified;

  constructor(fileBits, fileName, options = {}) {
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('fileBits', 'fileName');
    super(fileBits, options);
    const { lastModified } = options ?? {};
    this.#name = toWellFormed(`${fileName}`);
    if (lastModified === undefined) {
      this.#lastModified = Date.now();
    } else {
      const time = +lastModified;
      this.#lastModified = Number.isNaN(time) ? 0 : time;
    }
  }

  get name() {
    return this.#name;
  }

  get lastModified() {
    return this.#lastModified;
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    return `File ${inspect({
      size: this.size,
      type: this.type,
      name: this.#name,
      lastModified: this.#lastModified,
    }, {
      ...options,
      depth: options.depth == null ? null : options.depth - 1,
    })}`;
  }
}

Object.defineProperties(File.prototype, {
  name: { __proto__: null, enumerable: true },
  lastModified: { __proto__: null, enumerable: true },
  [Symbol.toStringTag]: { __proto__: null, configurable: true, value: 'File' },
});

module.exports = { File };
