'use strict';
// What happens to tests, as events and as a stream of objects { type, data }: reporters read it.

const { Readable } = require('stream');

class TestsStream extends Readable {
  #waiting = []; // what did not fit
  #fits = true;

  constructor() {
    super({ __proto__: null, objectMode: true, highWaterMark: Number.MAX_SAFE_INTEGER });
  }

  _read() {
    this.#fits = true;
    while (this.#waiting.length > 0 && this.#fits) this.#fits = this.push(this.#waiting.shift());
  }

  reportEvent(type, data) {
    this.emit(type, data);
    this.#add({ type, data });
  }

  end() {
    this.#add(null);
  }

  #add(item) {
    if (this.#fits) this.#fits = this.push(item);
    else this.#waiting.push(item);
  }
}

// A stream that is not read, for tests that are filtered out.
class SilentStream {
  reportEvent() {}
}

module.exports = { SilentStream, TestsStream };
