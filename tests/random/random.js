'use strict';
// A small generator of pseudo-random numbers (xorshift32), the same on every runtime.
class Random {
  #state;

  constructor(seed) {
    this.#state = (Math.imul(seed, 0x9e3779b1) ^ 0x85ebca6b) >>> 0 || 1;
    for (let i = 0; i < 4; i++) this.below(2);
  }

  // An integer from 0 to limit - 1.
  below(limit) {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x >>> 0;
    return this.#state % limit;
  }

  chance(percent) { return this.below(100) < percent; }

  pick(list) { return list[this.below(list.length)]; }
}

module.exports = { Random };
