'use strict';
// Where entries go: to the observers that asked for their type, and, if they are marks, measures
// or resources, to a buffer that performance.getEntries() reads. Observers are called together,
// from the next check phase.

const { codes } = require('internal/errors');
const { createGcEntry, createNodeEntry } = require('internal/perf/performance_entry');
const {
  inspectAs,
  inspectCustom,
  kSkipThrow,
  makeEnumerable,
  now,
  refuse,
  requireArguments,
  setToStringTag,
} = require('internal/perf/utils');
const { validateFunction, validateObject } = require('internal/validators');

const supportedTypes = Object.freeze(
  ['dns', 'function', 'gc', 'http', 'http2', 'mark', 'measure', 'net', 'quic', 'resource']);

const observers = new Set();
const pending = new Set(); // those with entries to deliver
const observed = new Map(); // type -> number of observers
let scheduled = false;
let gcWatcher;

// ---- The buffers -----------------------------------------------------------------------------

const kWarnAt = 1e6; // marks or measures that are never cleared
const kResourceLimit = 250;

const buffers = { mark: [], measure: [], resource: [] };
const warned = new Set();
let resourceLimit = kResourceLimit;
let overflow = []; // resources that were dropped because the buffer was full
let fullScheduled = false;
let fireBufferFull;

function bufferEntry(entry) {
  const { entryType } = entry;
  const buffer = buffers[entryType];
  buffer.push(entry);
  if (buffer.length > kWarnAt && !warned.has(entryType)) {
    warned.add(entryType);
    const warning = new Error('Possible perf_hooks memory leak detected. ' +
      `${buffer.length} ${entryType} entries added to the global performance entry buffer. Use ` +
      `${entryType === 'mark' ? 'performance.clearMarks' : 'performance.clearMeasures'} to ` +
      'clear the buffer.');
    warning.name = 'MaxPerformanceEntryBufferExceededWarning';
    warning.entryType = entryType;
    warning.count = buffer.length;
    process.emitWarning(warning);
  }
}

function bufferResource(entry) {
  if (buffers.resource.length < resourceLimit && !fullScheduled) {
    buffers.resource.push(entry);
    return;
  }
  overflow.push(entry);
  if (fullScheduled) return;
  fullScheduled = true;
  require('timers').setImmediate(resourcesFull);
}

// The handlers of the event may make room; what does not fit then is dropped.
function resourcesFull() {
  while (overflow.length > 0) {
    const before = overflow.length;
    if (buffers.resource.length >= resourceLimit) fireBufferFull?.();
    while (overflow.length > 0 && buffers.resource.length < resourceLimit) {
      buffers.resource.push(overflow.shift());
    }
    if (overflow.length >= before) overflow = [];
  }
  fullScheduled = false;
}

function setResourceTimingBufferSize(size) {
  resourceLimit = size;
}

function setBufferFullHandler(handler) {
  fireBufferFull = handler;
}

function clearEntries(type, name) {
  buffers[type] = name === undefined ? [] : buffers[type].filter((entry) => entry.name !== name);
}

// In the order of time.
function bufferedEntries(name, type) {
  const types = type === undefined ? Object.keys(buffers) : [type];
  const list = types.flatMap((each) => Object.hasOwn(buffers, each) ? buffers[each] : []);
  const found = name === undefined ? list : list.filter((entry) => entry.name === name);
  return sortByTime(found);
}

function sortByTime(list) {
  return list.sort((a, b) => a.startTime - b.startTime);
}

// ---- Observers -------------------------------------------------------------------------------

function hasObserver(type) {
  return observed.has(type);
}

function addObserved(type) {
  const count = observed.get(type) ?? 0;
  observed.set(type, count + 1);
  if (type === 'gc' && count === 0) {
    gcWatcher ??= new (binding('performance').GcWatcher)((kind, flags, start, duration) => {
      enqueue(createGcEntry(kind, flags, start, duration));
    });
    gcWatcher.start();
  }
}

function removeObserved(type) {
  const count = observed.get(type) - 1;
  if (count > 0) {
    observed.set(type, count);
    return;
  }
  observed.delete(type);
  if (type === 'gc') gcWatcher.stop();
}

function schedule() {
  if (scheduled) return;
  scheduled = true;
  require('timers').setImmediate(() => {
    scheduled = false;
    const list = [...pending];
    pending.clear();
    for (const observer of list) observer[kDispatch]();
  });
}

function enqueue(entry) {
  for (const observer of observers) observer[kMaybeBuffer](entry);
}

const kMaybeBuffer = Symbol('kMaybeBuffer');
const kDispatch = Symbol('kDispatch');

class PerformanceObserverEntryList {
  #entries;

  constructor(token = undefined, entries = []) {
    refuse(token);
    this.#entries = sortByTime(entries);
  }

  getEntries() {
    return this.#entries.slice();
  }

  getEntriesByType(type) {
    requireArguments(arguments, 'type');
    type = `${type}`;
    return this.#entries.filter((entry) => entry.entryType === type);
  }

  getEntriesByName(name, type = undefined) {
    requireArguments(arguments, 'name');
    name = `${name}`;
    if (type !== undefined) type = `${type}`;
    return this.#entries.filter((entry) => {
      return entry.name === name && (type === undefined || entry.entryType === type);
    });
  }

  [inspectCustom](depth, options) {
    return inspectAs('PerformanceObserverEntryList', this, this.#entries, depth, options);
  }
}
makeEnumerable(PerformanceObserverEntryList.prototype,
  ['getEntries', 'getEntriesByType', 'getEntriesByName']);
setToStringTag(PerformanceObserverEntryList.prototype, 'PerformanceObserverEntryList');

function invalidModification(text) {
  const DOMException = require('internal/errors/dom_exception');
  return new DOMException(`PerformanceObserver can not change to ${text}`,
    'InvalidModificationError');
}

class PerformanceObserver {
  #buffer = [];
  #types = new Set();
  #mode; // undefined, 'single' (type) or 'multiple' (entryTypes)
  #callback;

  constructor(callback) {
    validateFunction(callback, 'callback');
    this.#callback = callback;
  }

  static get supportedEntryTypes() {
    return supportedTypes;
  }

  observe(options = {}) {
    validateObject(options, 'options');
    const { entryTypes, type, buffered } = { ...options };
    if (entryTypes === undefined && type === undefined) {
      throw new codes.ERR_MISSING_ARGS('options.entryTypes', 'options.type');
    }
    if (entryTypes != null && type != null) {
      throw new codes.ERR_INVALID_ARG_VALUE('options.entryTypes', entryTypes,
        'options.entryTypes can not set with options.type together');
    }

    const mode = entryTypes !== undefined ? 'multiple' : 'single';
    if (this.#mode === undefined) this.#mode = mode;
    if (this.#mode === 'multiple' && mode === 'single') {
      throw invalidModification('single observation');
    }
    if (this.#mode === 'single' && mode === 'multiple') {
      throw invalidModification('multiple observations');
    }

    if (mode === 'multiple') {
      if (!Array.isArray(entryTypes)) {
        throw new codes.ERR_INVALID_ARG_TYPE('options.entryTypes', 'string[]', entryTypes);
      }
      const types = new Set(entryTypes.filter((each) => supportedTypes.includes(each)));
      for (const each of this.#types) removeObserved(each);
      this.#types = types;
      for (const each of types) addObserved(each);
    } else {
      if (!supportedTypes.includes(type)) return;
      if (!this.#types.has(type)) {
        this.#types.add(type);
        addObserved(type);
      }
      if (buffered) {
        this.#buffer.push(...bufferedEntries(undefined, type));
        if (this.#buffer.length > 0) pending.add(this);
        if (pending.size > 0) schedule();
      }
    }

    if (this.#types.size > 0) observers.add(this);
    else this.disconnect();
  }

  disconnect() {
    for (const type of this.#types) removeObserved(type);
    observers.delete(this);
    pending.delete(this);
    this.#buffer = [];
    this.#types.clear();
    this.#mode = undefined;
  }

  takeRecords() {
    const list = this.#buffer;
    this.#buffer = [];
    return list;
  }

  [kMaybeBuffer](entry) {
    if (!this.#types.has(entry.entryType)) return;
    this.#buffer.push(entry);
    pending.add(this);
    schedule();
  }

  [kDispatch]() {
    this.#callback(new PerformanceObserverEntryList(kSkipThrow, this.takeRecords()), this);
  }

  [inspectCustom](depth, options) {
    if (depth < 0) return 'PerformanceObserver {}';
    return inspectAs('PerformanceObserver', this, {
      connected: observers.has(this),
      pending: pending.has(this),
      entryTypes: [...this.#types],
      buffer: this.#buffer,
    }, depth, options);
  }
}
makeEnumerable(PerformanceObserver.prototype, ['observe', 'disconnect', 'takeRecords']);
setToStringTag(PerformanceObserver.prototype, 'PerformanceObserver');

// ---- For http, net and dns ---------------------------------------------------------------------

// The time from startPerf(target, key, context) to stopPerf(target, key, more) is an entry.
function startPerf(target, key, context = {}) {
  target[key] = { ...context, startTime: now() };
}

function stopPerf(target, key, more = {}) {
  const context = target[key];
  if (context === undefined) return;
  const detail = { ...context.detail, ...more.detail };
  enqueue(createNodeEntry(context.name, context.type, context.startTime,
    now() - context.startTime, detail));
}

module.exports = {
  PerformanceObserver,
  PerformanceObserverEntryList,
  enqueue,
  hasObserver,
  startPerf,
  stopPerf,
  bufferEntry,
  bufferResource,
  bufferedEntries,
  clearEntries,
  setResourceTimingBufferSize,
  setBufferFullHandler,
};
