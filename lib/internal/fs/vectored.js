'use strict';
// readv() and writev() with any number of buffers: the kernel takes only so many at a time.

const { UVException } = require('internal/errors');
const { later, now, promised } = require('internal/fs/native');

const kMostBuffers = 1024; // IOV_MAX
const kEinval = -22;

// One call reads no more than the kernel takes. Into nothing nothing can be read.
function taken(buffers) {
  if (buffers.length === 0) throw new UVException({ errno: kEinval, syscall: 'read' });
  return buffers.length <= kMostBuffers ? buffers : buffers.slice(0, kMostBuffers);
}

function readvNow(fd, buffers, position) {
  return now('readBuffers', fd, taken(buffers), position);
}

// oncomplete(error, count)
function readvLater(oncomplete, fd, buffers, position) {
  let most;
  try {
    most = taken(buffers);
  } catch (error) {
    process.nextTick(oncomplete, error);
    return;
  }
  later('readBuffers', oncomplete, fd, most, position);
}

async function readvPromised(fd, buffers, position) {
  return promised('readBuffers', fd, taken(buffers), position);
}

// Where the parts of a long write are, and what has been written of them.
class Parts {
  #buffers;
  #position;
  #next = 0;
  #asked = 0;
  total = 0;

  constructor(buffers, position) {
    this.#buffers = buffers;
    this.#position = position;
  }

  // [buffers, position]
  take() {
    const part = this.#buffers.slice(this.#next, this.#next + kMostBuffers);
    this.#next += kMostBuffers;
    for (const { byteLength } of part) this.#asked += byteLength;
    return [part, this.#position < 0 ? -1 : this.#position + this.total];
  }

  // After a part. Returns whether there is another one: not if there was no room for all of this one.
  wrote(count) {
    this.total += count;
    return this.total === this.#asked && this.#next < this.#buffers.length;
  }

  // What comes of an error: what was written before it counts.
  failed(error) {
    if (this.total === 0) throw error;
    return this.total;
  }
}

function writevNow(fd, buffers, position) {
  if (buffers.length <= kMostBuffers) return now('writeBuffers', fd, buffers, position);
  const parts = new Parts(buffers, position);
  try {
    let isMore;
    do isMore = parts.wrote(now('writeBuffers', fd, ...parts.take())); while (isMore);
  } catch (error) {
    return parts.failed(error);
  }
  return parts.total;
}

// oncomplete(error, count)
function writevLater(oncomplete, fd, buffers, position) {
  if (buffers.length <= kMostBuffers) {
    later('writeBuffers', oncomplete, fd, buffers, position);
    return;
  }
  const parts = new Parts(buffers, position);
  const writePart = () => {
    later('writeBuffers', (error, count) => {
      if (error !== null && parts.total === 0) oncomplete(error);
      else if (error === null && parts.wrote(count)) writePart();
      else oncomplete(null, parts.total);
    }, fd, ...parts.take());
  };
  writePart();
}

async function writevPromised(fd, buffers, position) {
  if (buffers.length <= kMostBuffers) return promised('writeBuffers', fd, buffers, position);
  const parts = new Parts(buffers, position);
  try {
    let isMore;
    do isMore = parts.wrote(await promised('writeBuffers', fd, ...parts.take())); while (isMore);
  } catch (error) {
    return parts.failed(error);
  }
  return parts.total;
}

module.exports = { readvLater, readvNow, readvPromised, writevLater, writevNow, writevPromised };
