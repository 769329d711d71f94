'use strict';
// What a process uses: time, memory, processors. The binding writes its figures into arrays that live as long as
// the program does.

const { codes: { ERR_INVALID_ARG_VALUE, ERR_OUT_OF_RANGE } } = require('internal/errors');
const { MemoryFigure, Usage } = require('internal/native/enums');
const { validateArray, validateNumber, validateObject } = require('internal/validators');
const native = binding('process_methods');

const NANOSECONDS = 1e9;
const clock = new Uint32Array(3); // seconds: high word, low word; nanoseconds
const memory = new Float64Array(Object.keys(MemoryFigure).length);
const times = new Float64Array(2);
const {
  rss: kRss, heapTotal: kHeapTotal, heapUsed: kHeapUsed, external: kExternal, arrayBuffers: kArrayBuffers,
} = MemoryFigure;
const usageNames = Object.keys(Usage);
const resources = new Float64Array(usageNames.length);

function hrtime(time) {
  native.hrtime(clock);
  const seconds = clock[0] * 0x100000000 + clock[1];
  if (time === undefined) return [seconds, clock[2]];

  validateArray(time, 'time');
  if (time.length !== 2) throw new ERR_OUT_OF_RANGE('time', 2, time.length);
  const elapsed = seconds - time[0];
  const nanoseconds = clock[2] - time[1];
  return nanoseconds < 0 ? [elapsed - 1, nanoseconds + NANOSECONDS] : [elapsed, nanoseconds];
}

function hrtimeBigInt() {
  return native.hrtimeBigInt();
}
hrtime.bigint = hrtimeBigInt;

function memoryUsage() {
  native.memoryUsage(memory);
  return {
    rss: memory[kRss],
    heapTotal: memory[kHeapTotal],
    heapUsed: memory[kHeapUsed],
    external: memory[kExternal],
    arrayBuffers: memory[kArrayBuffers],
  };
}

function rss() {
  return native.rss();
}
memoryUsage.rss = rss;

function isPrevious(value) {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}

function checkPrevious(value, name) {
  validateNumber(value, name);
  if (!isPrevious(value)) throw new ERR_INVALID_ARG_VALUE.RangeError(name, value);
}

function usageSince(prevValue, measure) {
  // What a call before this one returned needs no errors, and so no names for them.
  const given = Boolean(prevValue);
  if (given && !(isPrevious(prevValue.user) && isPrevious(prevValue.system))) {
    validateObject(prevValue, 'prevValue');
    checkPrevious(prevValue.user, 'prevValue.user');
    checkPrevious(prevValue.system, 'prevValue.system');
  }
  measure(times);
  const [user, system] = times;
  return given ? { user: user - prevValue.user, system: system - prevValue.system } : { user, system };
}

function cpuUsage(prevValue) {
  return usageSince(prevValue, native.cpuUsage);
}

function threadCpuUsage(prevValue) {
  return usageSince(prevValue, native.threadCpuUsage);
}

function resourceUsage() {
  native.resourceUsage(resources);
  const result = {};
  for (const name of usageNames) result[name] = resources[Usage[name]];
  return result;
}

module.exports = { cpuUsage, hrtime, memoryUsage, resourceUsage, threadCpuUsage };
