'use strict';
// performance.mark() and measure().

const { codes } = require('internal/errors');
const { reached, stages } = require('internal/perf/node_timing');
const { bufferEntry, clearEntries, enqueue } = require('internal/perf/observe');
const {
  PerformanceEntry,
  kName,
  kEntryType,
  kStartTime,
  kDuration,
} = require('internal/perf/performance_entry');
const {
  kSkipThrow,
  makeEnumerable,
  now,
  refuse,
  requireArguments,
  setToStringTag,
  validateThis,
} = require('internal/perf/utils');
const { validateNumber, validateObject, validateString } = require('internal/validators');

const kDetail = Symbol('kDetail');

const markTimes = new Map(); // name -> time of the latest mark

function toJSON(entry) {
  return {
    name: entry[kName],
    entryType: entry[kEntryType],
    startTime: entry[kStartTime],
    duration: entry[kDuration],
    detail: entry[kDetail],
  };
}

function copyOf(detail) {
  if (detail === undefined || detail === null) return null;
  return require('internal/messaging/structured_clone').structuredClone(detail);
}

function validateTime(time) {
  if (time < 0) throw new codes.ERR_PERFORMANCE_INVALID_TIMESTAMP(time);
}

class PerformanceMark extends PerformanceEntry {
  constructor(name, options = undefined) {
    requireArguments(arguments, 'name');
    name = `${name}`;
    if (stages.includes(name)) throw new codes.ERR_INVALID_ARG_VALUE('name', name);
    options ??= {};
    validateObject(options, 'options');
    const startTime = options.startTime ?? now();
    validateNumber(startTime, 'startTime');
    validateTime(startTime);
    markTimes.set(name, startTime);
    super(kSkipThrow, name, 'mark', startTime, 0);
    this[kDetail] = copyOf(options.detail);
  }

  get detail() {
    validateThis(this, kDetail, 'PerformanceMark');
    return this[kDetail];
  }

  toJSON() {
    return toJSON(this);
  }
}
makeEnumerable(PerformanceMark.prototype, ['detail']);
setToStringTag(PerformanceMark.prototype, 'PerformanceMark');

class PerformanceMeasure extends PerformanceEntry {
  constructor(token = undefined, name = undefined, type = undefined, start = undefined,
    duration = undefined) {
    refuse(token);
    super(token, name, type, start, duration);
  }

  get detail() {
    validateThis(this, kDetail, 'PerformanceMeasure');
    return this[kDetail];
  }

  toJSON() {
    return toJSON(this);
  }
}
makeEnumerable(PerformanceMeasure.prototype, ['detail']);
setToStringTag(PerformanceMeasure.prototype, 'PerformanceMeasure');

function mark(name, options) {
  const entry = new PerformanceMark(name, options);
  enqueue(entry);
  bufferEntry(entry);
  return entry;
}

// The time of a mark, or a time itself.
function timeOf(nameOrTime) {
  if (typeof nameOrTime === 'number') {
    validateTime(nameOrTime);
    return nameOrTime;
  }
  const name = `${nameOrTime}`;
  if (stages.includes(name)) return reached(name);
  const time = markTimes.get(name);
  if (time === undefined) {
    const DOMException = require('internal/errors/dom_exception');
    throw new DOMException(`The "${name}" performance mark has not been set`, 'SyntaxError');
  }
  return time;
}

function endOf({ start, end, duration }, endMark) {
  if (endMark !== undefined) return timeOf(endMark);
  if (end !== undefined) return timeOf(end);
  if (start !== undefined && duration !== undefined) return timeOf(start) + timeOf(duration);
  return now();
}

function startOf({ start, end, duration }, startMark) {
  if (start !== undefined) return timeOf(start);
  if (end !== undefined && duration !== undefined) return timeOf(end) - timeOf(duration);
  return typeof startMark === 'string' ? timeOf(startMark) : 0;
}

function measure(name, startOrOptions, endMark) {
  validateString(name, 'name');
  const options = typeof startOrOptions === 'object' && startOrOptions !== null ?
    startOrOptions : {};
  const { start, end, duration, detail } = options;
  if (start !== undefined || end !== undefined) {
    if (endMark !== undefined) {
      throw new codes.ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS('endMark must not be specified');
    }
    if (start !== undefined && end !== undefined && duration !== undefined) {
      throw new codes.ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS(
        'Must not have options.start, options.end, and options.duration specified');
    }
  }
  const until = endOf(options, endMark);
  const from = startOf(options, startOrOptions);
  const entry = new PerformanceMeasure(kSkipThrow, name, 'measure', from, until - from);
  entry[kDetail] = copyOf(detail);
  enqueue(entry);
  bufferEntry(entry);
  return entry;
}

function clearMarks(name) {
  if (name === undefined) {
    markTimes.clear();
  } else {
    name = `${name}`;
    if (stages.includes(name)) throw new codes.ERR_INVALID_ARG_VALUE('name', name);
    markTimes.delete(name);
  }
  clearEntries('mark', name);
}

function clearMeasures(name) {
  clearEntries('measure', name === undefined ? undefined : `${name}`);
}

module.exports = {
  PerformanceMark,
  PerformanceMeasure,
  mark,
  measure,
  clearMarks,
  clearMeasures,
};
