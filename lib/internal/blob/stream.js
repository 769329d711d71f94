'use strict';
// Blob.stream(): a stream of bytes, a chunk for each part of the blob.

const { setImmediate } = require('timers');
const { ReadableStream } = require('internal/webstreams/readablestream');

// What the stream asks for its chunks. A pull is answered with chunks until there are enough or the blob ends; between two
// chunks the loop makes an iteration, so that a large blob does not block everything else.
class BlobSource {
  type = 'bytes';
  #parts;
  #readPart;
  #next = 0;
  #isBetween = false; // Node's queue of parts takes a microtask to step to the next
  #pulls = []; // { resolve, reject } of those that wait

  constructor(parts, readPart) {
    this.#parts = parts;
    this.#readPart = readPart;
  }

  pull(controller) {
    const { promise, resolve, reject } = Promise.withResolvers();
    this.#pulls.push({ resolve, reject });
    this.#readNext(controller);
    return promise;
  }

  cancel(reason) {
    for (const { reject } of this.#pulls) reject(reason);
    this.#pulls = [];
  }

  #readNext(controller) {
    if (this.#next === this.#parts.length) {
      this.#end(controller);
      return;
    }
    if (this.#isBetween) {
      this.#isBetween = false;
      setImmediate(() => this.#goOn(controller));
      return;
    }
    this.#readPart(this.#parts[this.#next++], (error, bytes) => {
      if (this.#pulls.length === 0) return; // cancelled
      if (error) {
        const { reject } = this.#pulls.shift();
        controller.error(error);
        reject(error);
        return;
      }
      // A copy: the stream transfers the memory of its chunks.
      if (bytes.byteLength !== 0) controller.enqueue(bytes.slice());
      this.#isBetween = true;
      setImmediate(() => this.#goOn(controller));
    });
  }

  #goOn(controller) {
    if (controller.desiredSize < 0) this.#pulls.shift()?.resolve();
    else this.#readNext(controller);
  }

  #end(controller) {
    if (this.#pulls.length === 0) return;
    controller.close();
    // A BYOB read is answered with zero bytes.
    controller.byobRequest?.respond(0);
    this.#pulls.shift().resolve();
  }
}

// readPart(part, callback) calls back with (error, bytes).
function streamOf(parts, readPart) {
  // Nothing is read before the first request.
  return new ReadableStream(new BlobSource(parts, readPart), { highWaterMark: 0 });
}

module.exports = { streamOf };
