'use strict';
// The subtests of a test: which wait to run, and which wait to be reported. They are
// reported in the order in which they began, each after all that it holds.

// A sequence of numbers from 0 to 1 that a seed decides (Mulberry32).
function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6D2B79F5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

class Subtests {
  all = [];
  concurrency;
  running = 0;
  reported = 0; // how many have a number in the report
  finished = null; // { promise, resolve }: when the last one has ended
  random = null; // of --test-randomize
  #owner;
  #pending = []; // { test, resolve }
  #unfinished = new Set();
  #ready = new Map(); // position in the report -> test
  #lastPlace = 0;
  #nextToReport = 0;
  #drainIsScheduled = false;

  constructor(owner, concurrency, seed) {
    this.#owner = owner;
    this.concurrency = concurrency;
    if (seed !== undefined) this.random = seededRandom(seed);
  }

  get hasRoom() { return this.concurrency > this.running; }

  add(test) {
    if (this.#nextToReport === 0) {
      this.#nextToReport = this.all.length + 1;
      this.finished = Promise.withResolvers();
    }
    this.all.push(test);
  }

  begin(test) {
    this.#unfinished.add(test);
  }

  // -> a promise for when the test has run
  enqueue(test) {
    const { promise, resolve } = Promise.withResolvers();
    this.#pending.push({ test, resolve });
    return promise;
  }

  // Randomly chosen tests begin later, when all that this microtask adds are there to choose from.
  drainSoon() {
    if (this.#drainIsScheduled) return;
    this.#drainIsScheduled = true;
    queueMicrotask(() => {
      this.#drainIsScheduled = false;
      this.drain();
    });
  }

  async drain() {
    while (this.#pending.length > 0 && this.hasRoom) {
      const { test, resolve } = this.#next();
      this.placeOf(test);
      test.reportEvent('test:dequeue', { __proto__: null, type: this.#owner.reportedType });
      await test.run();
      resolve();
    }
  }

  #next() {
    if (this.random === null || this.#pending.length < 2) return this.#pending.shift();
    return this.#pending.splice(Math.floor(this.random() * this.#pending.length), 1)[0];
  }

  dropPending() {
    this.#pending = [];
  }

  placeOf(test) {
    if (test.place === 0) test.place = ++this.#lastPlace;
    return test.place;
  }

  // The test has ended, or was cancelled.
  end(test) {
    this.#ready.set(this.placeOf(test), test);
    if (this.#unfinished.delete(test) && this.#unfinished.size === 0) this.finished.resolve();
  }

  isNext(test) {
    return this.#nextToReport === test.place;
  }

  // Reports those that are ready and next in order. `mayReport`: the owner is being reported.
  report(mayReport) {
    for (let left = this.#ready.size; left > 0; left--) {
      const place = this.#nextToReport;
      const test = this.#ready.get(place);
      if (test === undefined) return;
      mayReport ||= this.#owner.mayReport();
      if (!mayReport) return;
      test.finalize();
      this.#ready.delete(place);
    }
  }

  wasReported() {
    this.#nextToReport++;
  }

  get allReported() { return this.#nextToReport > this.all.length; }
}

module.exports = { Subtests };
