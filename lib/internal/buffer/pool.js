'use strict';
// Memory for small buffers: slices of one block, until it is used up and replaced by another.
// The block is made when the first slice is asked for.

const { alignedOffset, createUnsafeArrayBuffer, keepAttached } = binding('buffer');
const { getOptionValue } = require('internal/options');
const { FastBuffer } = require('internal/buffer/fast_buffer');

// The block begins at a cache line, so that slices cross as few of them as possible.
const kBlockAlignment = 64;

let block = null;
let blockStart = 0; // where the block begins in its ArrayBuffer, which has room to align it
let blockSize = 0;
let used = 0;
// Buffer.poolSize, which programs may set: the size of the next block, and twice the size up to
// which a buffer is a slice. Told by the module that has Buffer.
let Settings = { poolSize: 64 * 1024 };

function setPoolSettings(settings) {
  Settings = settings;
}

// An ArrayBuffer that may contain anything, unless the user wants none of that.
function createMemory(size) {
  return getOptionValue('--zero-fill-buffers') ? new ArrayBuffer(size) :
    createUnsafeArrayBuffer(size);
}

function nextBlock() {
  blockSize = Settings.poolSize;
  block = createMemory(blockSize + kBlockAlignment);
  blockStart = alignedOffset(block, kBlockAlignment);
  // Who posts one buffer must not take the others with it.
  binding('messaging').markAsUntransferable(block);
  keepAttached(block);
  used = 0;
}

function isPooled(size) {
  return size < Settings.poolSize >>> 1;
}

// Slices begin at multiples of eight, so that other typed arrays can be laid over them.
function claim(size) {
  const start = used;
  used = (used + size + 7) & ~7;
  return start;
}

// Memory that may contain anything.
function allocate(size) {
  if (size <= 0) return new FastBuffer();
  if (!isPooled(size)) return new FastBuffer(createMemory(size));
  if (block === null || size > blockSize - used) nextBlock();
  return new FastBuffer(block, blockStart + claim(size), size);
}

// How much memory more than its size a buffer takes that begins at a multiple of `alignment`. What is left after it
// is a multiple of eight, for other typed arrays.
function alignmentPadding(alignment) {
  return Math.max(alignment, 8);
}

// Memory of its own, whose first byte has an address that is a multiple of `alignment`.
function createAligned(size, alignment) {
  if (size === 0) return new FastBuffer();
  const memory = createMemory(size + alignmentPadding(alignment));
  return new FastBuffer(memory, alignedOffset(memory, alignment), size);
}

// A slice of the block, if that can have the alignment.
function allocateAligned(size, alignment) {
  if (size <= 0) return new FastBuffer();
  if (alignment > kBlockAlignment || !isPooled(size)) return createAligned(size, alignment);
  used = (used + alignment - 1) & ~(alignment - 1);
  if (block === null || size > blockSize - used) nextBlock();
  return new FastBuffer(block, blockStart + claim(size), size);
}

// A buffer of the string, which takes `size` bytes at most. Undefined if so many do not fit into this block any more.
function writeInPlace(encoding, string, size) {
  if (block === null) nextBlock();
  if (size > blockSize - used) return undefined;
  const written = encoding.writeInto(block, string, blockStart + used, size);
  return new FastBuffer(block, blockStart + claim(written), written);
}

module.exports = {
  alignmentPadding, allocate, allocateAligned, createAligned, createMemory, isPooled, setPoolSettings, writeInPlace,
};
