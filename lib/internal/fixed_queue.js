'use strict';
// A queue under the name and with the methods that Node's own files know. Short ones are the rule (calls of an
// iterator's methods while one is in progress): an array, of which the taken part is cut off from time to time.

const kCutAt = 1024;

module.exports = class FixedQueue {
  #items = [];
  #next = 0;

  isEmpty() {
    return this.#next === this.#items.length;
  }

  push(item) {
    this.#items.push(item);
  }

  // null if there is none.
  shift() {
    if (this.#next === this.#items.length) return null;
    const item = this.#items[this.#next];
    this.#items[this.#next++] = undefined;
    if (this.#next === kCutAt) {
      this.#items.splice(0, kCutAt);
      this.#next = 0;
    }
    return item;
  }
};
