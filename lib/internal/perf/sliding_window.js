'use strict';
// createSlidingWindowHistogram(): counts only what was recorded lately. The window moves by chunks, each a histogram of
// so many records or so many milliseconds; the oldest is emptied and becomes the newest.

const { codes } = require('internal/errors');
const { finishedHistogram, validateBigInt, validateShape } = require('internal/perf/histogram');
const { kSkipThrow, now, refuse } = require('internal/perf/utils');
const { validateInteger, validateObject } = require('internal/validators');

const kMostChunks = 1024;
const kLongestChunk = 18_446_744_073_709; // milliseconds

const windows = new WeakMap();

class Window {
  #chunks;
  #newest = 0;
  #records = 0; // in the newest chunk
  #begin; // of the newest chunk, in milliseconds
  #make;
  #recordsPerChunk;
  #chunkDuration;

  constructor({ chunks, make, recordsPerChunk = Infinity, chunkDuration = Infinity }) {
    this.#make = make;
    this.#chunks = Array.from({ length: chunks }, make);
    this.#recordsPerChunk = recordsPerChunk;
    this.#chunkDuration = chunkDuration;
    this.#begin = now();
  }

  #move(steps) {
    for (let i = 0; i < Math.min(steps, this.#chunks.length); i++) {
      this.#newest = (this.#newest + 1) % this.#chunks.length;
      this.#chunks[this.#newest].reset();
    }
    this.#records = 0;
  }

  // Chunks that have passed since the newest one began.
  #follow() {
    if (this.#chunkDuration === Infinity) return;
    const passed = Math.floor((now() - this.#begin) / this.#chunkDuration);
    if (passed === 0) return;
    this.#begin += passed * this.#chunkDuration;
    this.#move(passed);
  }

  record(value) {
    this.#follow();
    if (this.#records === this.#recordsPerChunk) this.#move(1);
    this.#records++;
    this.#chunks[this.#newest].record(value);
  }

  snapshot() {
    this.#follow();
    const result = this.#make();
    for (const chunk of this.#chunks) result.add(chunk);
    return finishedHistogram(result);
  }

  reset() {
    for (const chunk of this.#chunks) chunk.reset();
    this.#records = 0;
    this.#begin = now();
  }
}

function windowOf(value) {
  const found = windows.get(value);
  if (found === undefined) throw new codes.ERR_INVALID_THIS('SlidingWindowHistogram');
  return found;
}

class SlidingWindowHistogram {
  constructor(token = undefined) {
    refuse(token);
  }

  record(val) {
    const window = windowOf(this);
    if (typeof val === 'bigint') validateBigInt(val, 'value');
    else validateInteger(val, 'val', 1);
    window.record(val);
  }

  snapshot() {
    return windowOf(this).snapshot();
  }

  reset() {
    windowOf(this).reset();
  }
}

function createSlidingWindowHistogram(options) {
  validateObject(options, 'options');
  const {
    chunks, chunkDuration, recordsPerChunk, lowest = 1, highest = Number.MAX_SAFE_INTEGER, figures = 3,
  } = options;
  validateInteger(chunks, 'options.chunks', 1, kMostChunks);
  validateShape(lowest, highest, figures);
  if ((chunkDuration === undefined) === (recordsPerChunk === undefined)) {
    throw new codes.ERR_INVALID_ARG_VALUE('options', options,
      'must specify exactly one of "chunkDuration" or "recordsPerChunk"');
  }
  if (chunkDuration !== undefined) validateInteger(chunkDuration, 'options.chunkDuration', 1, kLongestChunk);
  else validateInteger(recordsPerChunk, 'options.recordsPerChunk', 1, Number.MAX_SAFE_INTEGER);
  const { Histogram } = binding('histogram');
  const make = () => new Histogram(lowest, highest, figures, 0, 0);
  const result = new SlidingWindowHistogram(kSkipThrow);
  windows.set(result, new Window({ chunks, chunkDuration, recordsPerChunk, make }));
  return result;
}

module.exports = { createSlidingWindowHistogram };
