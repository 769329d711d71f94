'use strict';
// Measuring: marks, measures, observers, histograms, the load of the loop.

const { createHistogram, importHistogram, monitorEventLoopDelay } = require('internal/perf/histogram');
const { createSlidingWindowHistogram } = require('internal/perf/sliding_window');
const {
  PerformanceObserver,
  PerformanceObserverEntryList,
} = require('internal/perf/observe');
const { Performance, performance } = require('internal/perf/performance');
const { PerformanceEntry } = require('internal/perf/performance_entry');
const { PerformanceResourceTiming } = require('internal/perf/resource_timing');
const { PerformanceMark, PerformanceMeasure } = require('internal/perf/usertiming');

const constants = {};
const values = {
  NODE_PERFORMANCE_GC_MAJOR: 4,
  NODE_PERFORMANCE_GC_MINOR: 1,
  NODE_PERFORMANCE_GC_MINOR_MARK_SWEEP: 2,
  NODE_PERFORMANCE_GC_INCREMENTAL: 8,
  NODE_PERFORMANCE_GC_WEAKCB: 16,
  NODE_PERFORMANCE_GC_FLAGS_NO: 0,
  NODE_PERFORMANCE_GC_FLAGS_CONSTRUCT_RETAINED: 2,
  NODE_PERFORMANCE_GC_FLAGS_FORCED: 4,
  NODE_PERFORMANCE_GC_FLAGS_SYNCHRONOUS_PHANTOM_PROCESSING: 8,
  NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE: 16,
  NODE_PERFORMANCE_GC_FLAGS_ALL_EXTERNAL_MEMORY: 32,
  NODE_PERFORMANCE_GC_FLAGS_SCHEDULE_IDLE: 64,
};
for (const name of Object.keys(values)) {
  Object.defineProperty(constants, name, { value: values[name], enumerable: true });
}
// Not listed, in Node as here.
const kEntryTypes = ['GC', 'HTTP', 'HTTP2', 'NET', 'DNS', 'QUIC'];
const kMilestones = ['TIME_ORIGIN_TIMESTAMP', 'TIME_ORIGIN', 'ENVIRONMENT', 'NODE_START', 'V8_START', 'LOOP_START',
  'LOOP_EXIT', 'BOOTSTRAP_COMPLETE'];
kEntryTypes.forEach((name, value) => {
  Object.defineProperty(constants, `NODE_PERFORMANCE_ENTRY_TYPE_${name}`, { value });
});
kMilestones.forEach((name, value) => {
  Object.defineProperty(constants, `NODE_PERFORMANCE_MILESTONE_${name}`, { value });
});

module.exports = {
  Performance,
  PerformanceEntry,
  PerformanceMark,
  PerformanceMeasure,
  PerformanceObserver,
  PerformanceObserverEntryList,
  PerformanceResourceTiming,
  monitorEventLoopDelay,
  eventLoopUtilization: performance.eventLoopUtilization,
  timerify: performance.timerify,
  createHistogram,
  createSlidingWindowHistogram,
  importHistogram,
  performance,
};

Object.defineProperty(module.exports, 'constants', {
  value: constants,
  enumerable: true,
  configurable: false,
  writable: false,
});
