'use strict';
// fs.watchFile() and fs.unwatchFile(): calls stat() at intervals, and reports when the result has changed.
// One watcher for a file, however many listeners there are.

const { emitAfter, emitBefore, emitDestroy, initResource, async_id_symbol, trigger_async_id_symbol } =
  require('internal/async_hooks');
const { later } = require('internal/fs/native');
const { kNumbers, toStats } = require('internal/fs/stats');
const { getValidatedPath } = require('internal/fs/utils');
const { statWatchers } = require('internal/native/open_handles');
const { clearTimeout, setTimeout } = require('internal/timers');
const { check: checkPermission } = require('internal/process/permission');
const { SafeMap } = require('internal/util/safe');
const { validateFunction, validateUint32 } = require('internal/validators');
const EventEmitter = require('events');
const path = require('path');

const { now } = binding('performance');

const kDefaultInterval = 5007;

// Which of the numbers make a difference: all but the times of reading, the links, and what follows from others.
// (dev, mode, uid, gid, ino, size, mtime, ctime, birthtime)
const kCompared = [0, 1, 3, 4, 7, 8, 12, 13, 14, 15, 16, 17];

function isSame(one, other) {
  return kCompared.every((index) => one[index] === other[index]);
}

// ---- Looking ---------------------------------------------------------------------------------

// What async_hooks sees of a watcher. onchange(stats, previous)
class Handle {
  constructor(bigint, onchange) {
    this.bigint = bigint;
    this.onchange = onchange;
    this.zero = bigint ? new BigInt64Array(kNumbers) : new Float64Array(kNumbers);
    this.last = this.zero; // what was found last
    this.error = undefined; // the code, if the last look failed
    this.looked = false;
    this.timer = undefined;
    this.isRefed = true;
    this.closed = false;
    initResource(this, 'STATWATCHER');
  }

  start(file, interval) {
    this.file = file;
    this.interval = Math.max(1, interval);
    statWatchers.add(this);
    this.look();
  }

  look() {
    const begun = now();
    this.timer = undefined;
    later('stat', (error, numbers) => {
      if (this.closed) return;
      this.found(error, numbers);
      if (this.closed) return;
      // On the beat, however long it took.
      const late = (now() - begun) % this.interval;
      this.timer = setTimeout(() => this.look(), this.interval - late);
      if (!this.isRefed) this.timer.unref();
    }, this.file, this.bigint);
  }

  found(error, numbers) {
    const { last, looked } = this;
    this.looked = true;
    if (error !== null) {
      if (error.code === this.error) return;
      this.error = error.code;
      this.report(this.zero, last);
      return;
    }
    const wasMissing = this.error !== undefined;
    this.error = undefined;
    this.last = numbers;
    if (wasMissing || (looked && !isSame(last, numbers))) this.report(numbers, last);
  }

  report(current, previous) {
    const asyncId = this[async_id_symbol];
    emitBefore(asyncId, this[trigger_async_id_symbol], this);
    try {
      this.onchange(toStats(current), toStats(previous));
    } finally {
      emitAfter(asyncId);
    }
  }

  ref() {
    this.isRefed = true;
    this.timer?.ref();
  }

  unref() {
    this.isRefed = false;
    this.timer?.unref();
  }

  hasRef() {
    return this.isRefed;
  }

  // Whether stat() is in progress; otherwise its timer runs.
  get isLooking() {
    return this.timer === undefined;
  }

  close() {
    this.closed = true;
    statWatchers.delete(this);
    clearTimeout(this.timer);
    emitDestroy(this[async_id_symbol]);
  }
}
Object.defineProperty(Handle, 'name', { __proto__: null, value: 'StatWatcher' });

// ---- What the program has ----------------------------------------------------------------------

const kBigint = Symbol('kBigint');
const kRefs = Symbol('kRefs'); // of the listeners, how many hold the program
const kMostRefs = Symbol('kMostRefs');
const kStart = Symbol('kStart');
const kAdded = Symbol('kAdded');
const kRemoved = Symbol('kRemoved');
const kAllRemoved = Symbol('kAllRemoved');

function emitStop(watcher) {
  watcher.emit('stop');
}

function StatWatcher(bigint) {
  Reflect.apply(EventEmitter, this, []);
  this._handle = null;
  for (const [key, value] of [[kBigint, bigint], [kRefs, 1], [kMostRefs, 1]]) {
    Object.defineProperty(this, key, { __proto__: null, value, writable: true });
  }
}
Object.setPrototypeOf(StatWatcher.prototype, EventEmitter.prototype);
Object.setPrototypeOf(StatWatcher, EventEmitter);

Object.defineProperty(StatWatcher.prototype, kStart, {
  __proto__: null,
  value(file, persistent, interval) {
    if (this._handle !== null) return;
    this._handle = new Handle(this[kBigint], (current, previous) => this.emit('change', current, previous));
    if (!persistent) this.unref();
    validateUint32(interval, 'interval');
    checkPermission('fs.read', file);
    this._handle.start(file, interval);
  },
});

// It once started the watcher; that is begun already.
StatWatcher.prototype.start = function() {};

StatWatcher.prototype.stop = function() {
  if (this._handle === null) return;
  process.nextTick(emitStop, this);
  this._handle.close();
  this._handle = null;
};

StatWatcher.prototype.ref = function() {
  if (this[kRefs] === this[kMostRefs]) return this;
  if (this._handle && this[kRefs]++ === 0) this._handle.ref();
  return this;
};

StatWatcher.prototype.unref = function() {
  if (this[kRefs] === 0) return this;
  if (this._handle && --this[kRefs] === 0) this._handle.unref();
  return this;
};

for (const [key, value] of [
  [kAdded, function() {
    this[kMostRefs]++;
    if (this._handle && this[kRefs]++ === 0) this._handle.ref();
  }],
  [kRemoved, function() {
    this[kMostRefs]--;
    if (this._handle && --this[kRefs] === 0) this._handle.unref();
  }],
  [kAllRemoved, function() {
    this[kMostRefs] = 0;
    this[kRefs] = 0;
    this._handle?.unref();
  }],
]) {
  Object.defineProperty(StatWatcher.prototype, key, { __proto__: null, value });
}

// ---- node:fs ---------------------------------------------------------------------------------

const watchers = new SafeMap(); // by absolute path

function watchFile(filename, options, listener) {
  filename = path.resolve(getValidatedPath(filename));
  if (options === null || typeof options !== 'object') {
    listener = options;
    options = null;
  }
  options = { interval: kDefaultInterval, persistent: true, ...options };
  validateFunction(listener, 'listener');
  let watcher = watchers.get(filename);
  if (watcher === undefined) {
    watcher = new StatWatcher(Boolean(options.bigint));
    watcher[kStart](filename, options.persistent, options.interval);
    watchers.set(filename, watcher);
  } else {
    watcher[kAdded]();
  }
  watcher.addListener('change', listener);
  return watcher;
}

function unwatchFile(filename, listener) {
  filename = path.resolve(getValidatedPath(filename));
  const watcher = watchers.get(filename);
  if (watcher === undefined) return;
  if (typeof listener === 'function') {
    const before = watcher.listenerCount('change');
    watcher.removeListener('change', listener);
    if (watcher.listenerCount('change') < before) watcher[kRemoved]();
  } else {
    watcher.removeAllListeners('change');
    watcher[kAllRemoved]();
  }
  if (watcher.listenerCount('change') === 0) {
    watcher.stop();
    watchers.delete(filename);
  }
}

module.exports = { unwatchFile, watchFile };
