'use strict';
// The object `performance`, created on first use.

const { Event, EventTarget, defineEventHandler } = require('internal/event_target');
const {
  createNodeTiming,
  eventLoopUtilization,
} = require('internal/perf/node_timing');
const {
  bufferedEntries,
  clearEntries,
  setBufferFullHandler,
  setResourceTimingBufferSize,
} = require('internal/perf/observe');
const { markResourceTiming } = require('internal/perf/resource_timing');
const timerify = require('internal/perf/timerify');
const { toNumber } = require('internal/web/idl_sequence');
const { clearMarks, clearMeasures, mark, measure } = require('internal/perf/usertiming');
const {
  inspectAs,
  inspectCustom,
  kSkipThrow,
  makeEnumerable,
  now,
  refuse,
  requireArguments,
  setToStringTag,
  timeOriginTimestamp,
  validateThis,
} = require('internal/perf/utils');

const kBrand = Symbol('performance');

function check(value) {
  validateThis(value, kBrand, 'Performance');
}

class Performance extends EventTarget {
  constructor(token = undefined) {
    refuse(token);
    super();
    this[kBrand] = true;
  }

  clearMarks(name = undefined) {
    check(this);
    clearMarks(name);
  }

  clearMeasures(name = undefined) {
    check(this);
    clearMeasures(name);
  }

  clearResourceTimings(name = undefined) {
    check(this);
    clearEntries('resource', name === undefined ? undefined : `${name}`);
  }

  getEntries() {
    check(this);
    return bufferedEntries();
  }

  getEntriesByName(name) {
    check(this);
    requireArguments(arguments, 'name');
    const type = arguments[1];
    return bufferedEntries(`${name}`, type === undefined ? undefined : `${type}`);
  }

  getEntriesByType(type) {
    check(this);
    requireArguments(arguments, 'type');
    return bufferedEntries(undefined, `${type}`);
  }

  mark(name, options = {}) {
    check(this);
    requireArguments(arguments, 'name');
    return mark(name, options);
  }

  measure(name, startOrOptions = {}, endMark = undefined) {
    check(this);
    requireArguments(arguments, 'name');
    return measure(name, startOrOptions, endMark);
  }

  now() {
    if (this !== performance) check(this);
    return now();
  }

  setResourceTimingBufferSize(maxSize) {
    check(this);
    requireArguments(arguments, 'maxSize');
    setResourceTimingBufferSize(toNumber(maxSize, 'maxSize') >>> 0);
  }

  get timeOrigin() {
    check(this);
    return timeOriginTimestamp();
  }

  toJSON() {
    check(this);
    return {
      nodeTiming: this.nodeTiming,
      timeOrigin: this.timeOrigin,
      eventLoopUtilization: this.eventLoopUtilization(),
    };
  }

  [inspectCustom](depth, options) {
    return inspectAs('Performance', this, {
      nodeTiming: this.nodeTiming,
      timeOrigin: this.timeOrigin,
    }, depth, options);
  }
}

makeEnumerable(Performance.prototype, ['clearMarks', 'clearMeasures', 'clearResourceTimings',
  'getEntries', 'getEntriesByName', 'getEntriesByType', 'mark', 'measure', 'now',
  'setResourceTimingBufferSize', 'timeOrigin', 'toJSON']);

// What Node has beyond the standard.
const additions = {
  eventLoopUtilization,
  nodeTiming: createNodeTiming(),
  markResourceTiming,
  timerify,
};
for (const name of Object.keys(additions)) {
  Object.defineProperty(Performance.prototype, name,
    { value: additions[name], writable: true, enumerable: false, configurable: true });
}
defineEventHandler(Performance.prototype, 'resourcetimingbufferfull');
setToStringTag(Performance.prototype, 'Performance');

const performance = new Performance(kSkipThrow);
setBufferFullHandler(() => performance.dispatchEvent(new Event('resourcetimingbufferfull')));

module.exports = { Performance, performance };
