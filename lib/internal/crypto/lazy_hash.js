'use strict';
// The class Hash of the binding, which Node's own Hash has as its handle. Most hashes are of one short piece:
// createHash(name).update(piece).digest(). This class keeps the first piece and makes an object of C++ when there is a second,
// or a long one; without that, digest() is one call. An object with a C++ side takes longer to make, and to collect, than a
// short piece takes to be hashed.

const { isUint8Array } = require('internal/util/types');

const native = binding('crypto');

const kUnknown = -1;
const kMostBytes = 512; // that are kept
const kHex = 5; // the number of the encoding, which C++ knows faster than its name

const { hashOnce } = native;
const lengths = []; // by the number of the digest: of those that have one

function hasFixedLength(number) {
  return (lengths[number] ??= native.fixedLength(number)) !== 0;
}

class Hash {
  #number;
  #handle = undefined; // C++
  #piece = undefined;
  #encoding = undefined; // of the piece
  #isEnded = false;

  // As the constructor in C++: a name or another Hash, output length, number of the digest, table of numbers.
  constructor(algorithm, outputLength, number, numbers, functionName, customization) {
    this.#number = number;
    if (number !== kUnknown && outputLength === undefined && functionName === undefined && customization === undefined &&
        hasFixedLength(number)) {
      return;
    }
    const source = number === kUnknown && typeof algorithm === 'object' ? algorithm.#begun() : algorithm;
    this.#handle = new native.Hash(source, outputLength, number, numbers, functionName, customization);
  }

  update(data, encoding) {
    if (this.#handle === undefined) {
      if (this.#isEnded) return false;
      if (this.#piece === undefined && data.length <= kMostBytes && this.#keep(data, encoding)) return true;
      this.#begun();
    }
    return this.#handle.update(data, encoding);
  }

  digest(encoding) {
    if (this.#handle !== undefined) return this.#handle.digest(encoding);
    this.#isEnded = true; // the piece stays: a digest can be asked for again
    return hashOnce(this.#number, this.#piece ?? '', this.#encoding, encoding === 'hex' ? kHex : encoding);
  }

  #keep(data, encoding) {
    if (typeof data === 'string') {
      this.#piece = data;
      this.#encoding = encoding;
      return true;
    }
    if (!isUint8Array(data)) return false;
    this.#piece = new Uint8Array(data); // the program may change its own
    return true;
  }

  // The object of C++, with what was kept.
  #begun() {
    if (this.#handle === undefined) {
      const handle = new native.Hash('', undefined, this.#number, undefined);
      if (this.#piece !== undefined) handle.update(this.#piece, this.#encoding);
      if (this.#isEnded) handle.digest();
      this.#piece = undefined;
      this.#handle = handle;
    }
    return this.#handle;
  }
}

module.exports = Hash;
