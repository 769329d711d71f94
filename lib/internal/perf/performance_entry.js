'use strict';
// PerformanceEntry, and the entries that Node has of its own: 'function', 'gc', 'http' ...

const {
  inspectAs,
  inspectCustom,
  kSkipThrow,
  makeEnumerable,
  refuse,
  validateThis,
} = require('internal/perf/utils');

const kName = Symbol('PerformanceEntry.Name');
const kEntryType = Symbol('PerformanceEntry.EntryType');
const kStartTime = Symbol('PerformanceEntry.StartTime');
const kDuration = Symbol('PerformanceEntry.Duration');
const kNodeDetail = Symbol('NodePerformanceEntry.Detail');
const kDeprecatedFields = Symbol('kDeprecatedFields');

class PerformanceEntry {
  constructor(token = undefined, name = undefined, type = undefined, start = undefined,
    duration = undefined) {
    refuse(token);
    this[kName] = name;
    this[kEntryType] = type;
    this[kStartTime] = start;
    this[kDuration] = duration;
  }

  get name() {
    validateThis(this, kName, 'PerformanceEntry');
    return this[kName];
  }

  get entryType() {
    validateThis(this, kEntryType, 'PerformanceEntry');
    return this[kEntryType];
  }

  get startTime() {
    validateThis(this, kStartTime, 'PerformanceEntry');
    return this[kStartTime];
  }

  get duration() {
    validateThis(this, kDuration, 'PerformanceEntry');
    return this[kDuration];
  }

  toJSON() {
    validateThis(this, kName, 'PerformanceEntry');
    return {
      name: this[kName],
      entryType: this[kEntryType],
      startTime: this[kStartTime],
      duration: this[kDuration],
    };
  }

  [inspectCustom](depth, options) {
    return inspectAs(this.constructor.name, this, this.toJSON(), depth, options);
  }
}
makeEnumerable(PerformanceEntry.prototype,
  ['name', 'entryType', 'startTime', 'duration', 'toJSON']);

class PerformanceNodeEntry extends PerformanceEntry {
  get detail() {
    validateThis(this, kNodeDetail, 'NodePerformanceEntry');
    return this[kNodeDetail];
  }

  toJSON() {
    return { ...super.toJSON(), detail: this[kNodeDetail] };
  }
}

function createNodeEntry(name, type, start, duration, detail) {
  const entry = new PerformanceNodeEntry(kSkipThrow, name, type, start, duration);
  entry[kNodeDetail] = detail;
  return entry;
}

// A collection of garbage: what is in `detail` once was on the entry itself.
function createGcEntry(kind, flags, start, duration) {
  const { deprecate } = require('internal/util/deprecate');
  const entry = createNodeEntry('gc', 'gc', start, duration, { kind, flags });
  const message = 'Custom PerformanceEntry accessors are deprecated. ' +
    'Please use the detail property.';
  entry[kDeprecatedFields] = new Map([['kind', kind], ['flags', flags]]);
  for (const field of ['kind', 'flags']) {
    Object.defineProperty(entry, field, {
      configurable: true,
      enumerable: true,
      get: deprecate(() => entry[kDeprecatedFields].get(field), message, 'DEP0152'),
      set: deprecate((value) => { entry[kDeprecatedFields].set(field, value); }, message,
        'DEP0152'),
    });
  }
  return entry;
}

module.exports = {
  PerformanceEntry,
  createNodeEntry,
  createGcEntry,
  kName,
  kEntryType,
  kStartTime,
  kDuration,
};
