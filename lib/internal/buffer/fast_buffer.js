'use strict';
// The class of every Buffer. Programs see it under the name of the function Buffer, which shares
// its prototype.

class FastBuffer extends Uint8Array {
  // Spelled out: passing all arguments on would go through an iterator.
  constructor(bufferOrLength, byteOffset, length) {
    super(bufferOrLength, byteOffset, length);
  }
}

module.exports = { FastBuffer };
