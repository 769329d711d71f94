'use strict';
// performance.nodeTiming: when the stages of the start were reached. And eventLoopUtilization().

const native = binding('performance');
const { Milestone } = require('internal/native/enums');
const { PerformanceEntry } = require('internal/perf/performance_entry');
const { now } = require('internal/perf/utils');

const stages = ['nodeStart', 'v8Start', 'environment', 'loopStart', 'loopExit',
  'bootstrapComplete'];

function reached(stage) {
  return native.milestone(Milestone[stage]);
}

function loopIdleTime() {
  return native.loopIdleTime();
}

function visible(descriptor) {
  return { enumerable: true, configurable: true, ...descriptor };
}

class PerformanceNodeTiming extends PerformanceEntry {
  toJSON() {
    return {
      name: 'node',
      entryType: 'node',
      startTime: this.startTime,
      duration: this.duration,
      nodeStart: this.nodeStart,
      v8Start: this.v8Start,
      bootstrapComplete: this.bootstrapComplete,
      environment: this.environment,
      loopStart: this.loopStart,
      loopExit: this.loopExit,
      idleTime: this.idleTime,
    };
  }
}

// Has own properties instead of those of an entry.
function createNodeTiming() {
  const properties = {
    name: visible({ value: 'node' }),
    entryType: visible({ value: 'node' }),
    startTime: visible({ value: 0 }),
    duration: visible({ get: now }),
  };
  for (const stage of stages) properties[stage] = visible({ get: () => reached(stage) });
  properties.idleTime = visible({ get: loopIdleTime });
  properties.uvMetricsInfo = visible({ get: () => native.loopMetrics() });
  return Object.create(PerformanceNodeTiming.prototype, properties);
}

function utilization(idle, active) {
  return { idle, active, utilization: active / (idle + active) };
}

// Of a loop that began at `begun`: since then; since `first`; or between `second` and `first`.
function utilizationOf(begun, readIdle, first, second) {
  if (begun <= 0) return { idle: 0, active: 0, utilization: 0 };
  if (second) return utilization(first.idle - second.idle, first.active - second.active);
  const idle = readIdle();
  const active = now() - begun - idle;
  if (!first) return utilization(idle, active);
  return utilization(idle - first.idle, active - first.active);
}

function eventLoopUtilization(first, second) {
  return utilizationOf(reached('loopStart'), loopIdleTime, first, second);
}

module.exports = { createNodeTiming, stages, reached, eventLoopUtilization, utilizationOf };
