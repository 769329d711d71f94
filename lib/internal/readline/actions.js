'use strict';
// readline.promises.Readline: gathers what is to happen to a terminal, and sends it at once.

const { codes } = require('internal/errors');
const { kClearScreenDown, sequences } = require('internal/readline/cursor');
const { validateBoolean, validateInteger } = require('internal/validators');

function isWritable(stream) {
  return stream?.writable === true && typeof stream.write === 'function' &&
    typeof stream.on === 'function' && !stream.destroyed && !stream.writableEnded;
}

class Readline {
  #autoCommit = false;
  #stream;
  #todo = [];

  constructor(stream, options = undefined) {
    if (!isWritable(stream)) throw new codes.ERR_INVALID_ARG_TYPE('stream', 'Writable', stream);
    this.#stream = stream;
    if (options?.autoCommit !== null && options?.autoCommit !== undefined) {
      validateBoolean(options.autoCommit, 'options.autoCommit');
      this.#autoCommit = options.autoCommit;
    }
  }

  #add(sequence) {
    if (this.#autoCommit) process.nextTick(() => this.#stream.write(sequence));
    else this.#todo.push(sequence);
    return this;
  }

  cursorTo(x, y = undefined) {
    validateInteger(x, 'x');
    if (y !== null && y !== undefined) validateInteger(y, 'y');
    return this.#add(sequences.toSequence(x, y));
  }

  moveCursor(dx, dy) {
    if (!dx && !dy) return this;
    validateInteger(dx, 'dx');
    validateInteger(dy, 'dy');
    return this.#add(sequences.bySequence(dx, dy));
  }

  clearLine(dir) {
    validateInteger(dir, 'dir', -1, 1);
    return this.#add(sequences.lineSequence(dir));
  }

  clearScreenDown() {
    return this.#add(kClearScreenDown);
  }

  commit() {
    return new Promise((resolve) => {
      const data = this.#todo.join('');
      this.#todo = [];
      this.#stream.write(data, resolve);
    });
  }

  rollback() {
    this.#todo = [];
    return this;
  }
}

module.exports = { Readline };
