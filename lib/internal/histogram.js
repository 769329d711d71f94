'use strict';
// createHistogram() and monitorEventLoopDelay(): the counting is done in C++.

const { codes } = require('internal/errors');
const { inspectAs, inspectCustom, kSkipThrow, refuse } = require('internal/perf/utils');
const { validateInteger, validateNumber, validateObject } = require('internal/validators');

const OrdinaryMap = Map; // for maps that programs get: `new Map()` in this file is one of our own

const kHandle = Symbol('kHandle');
const kRecordable = Symbol('kRecordable');
const kResolution = Symbol('kResolution');
const kEnabled = Symbol('kEnabled');

function handleOf(value) {
  const handle = value?.[kHandle];
  if (handle === undefined) throw new codes.ERR_INVALID_THIS('Histogram');
  return handle;
}

function recordableOf(value) {
  if (value?.[kRecordable] === undefined) throw new codes.ERR_INVALID_THIS('RecordableHistogram');
  return value[kHandle];
}

function validatePercentile(percentile) {
  validateNumber(percentile, 'percentile');
  if (Number.isNaN(percentile) || percentile <= 0 || percentile > 100) {
    throw new codes.ERR_OUT_OF_RANGE('percentile', '> 0 && <= 100', percentile);
  }
}

function percentilesOf(value, asBigInt) {
  const map = new OrdinaryMap();
  handleOf(value).percentiles(map, asBigInt);
  return map;
}

class Histogram {
  constructor(token = undefined) {
    refuse(token);
  }

  get count() {
    return handleOf(this).count();
  }

  get countBigInt() {
    return handleOf(this).countBigInt();
  }

  get min() {
    return handleOf(this).min();
  }

  get minBigInt() {
    return handleOf(this).minBigInt();
  }

  get max() {
    return handleOf(this).max();
  }

  get maxBigInt() {
    return handleOf(this).maxBigInt();
  }

  get mean() {
    return handleOf(this).mean();
  }

  get exceeds() {
    return handleOf(this).exceeds();
  }

  get exceedsBigInt() {
    return handleOf(this).exceedsBigInt();
  }

  get stddev() {
    return handleOf(this).stddev();
  }

  percentile(percentile) {
    const handle = handleOf(this);
    validatePercentile(percentile);
    return handle.percentile(percentile);
  }

  percentileBigInt(percentile) {
    const handle = handleOf(this);
    validatePercentile(percentile);
    return handle.percentileBigInt(percentile);
  }

  get percentiles() {
    return percentilesOf(this, false);
  }

  get percentilesBigInt() {
    return percentilesOf(this, true);
  }

  reset() {
    handleOf(this).reset();
  }

  toJSON() {
    return {
      count: this.count,
      min: this.min,
      max: this.max,
      mean: this.mean,
      exceeds: this.exceeds,
      stddev: this.stddev,
      percentiles: Object.fromEntries(this.percentiles),
    };
  }

  [inspectCustom](depth, options) {
    return inspectAs('Histogram', this, {
      min: this.min,
      max: this.max,
      mean: this.mean,
      exceeds: this.exceeds,
      stddev: this.stddev,
      count: this.count,
      percentiles: this.percentiles,
    }, depth, options);
  }
}

class RecordableHistogram extends Histogram {
  record(val) {
    const handle = recordableOf(this);
    if (typeof val === 'bigint') {
      if (val < 1n || val >= 2n ** 63n) {
        const error = new RangeError('value is out of range');
        error.code = 'ERR_OUT_OF_RANGE';
        throw error;
      }
    } else {
      validateInteger(val, 'val', 1);
    }
    handle.record(val);
  }

  recordDelta() {
    recordableOf(this).recordDelta();
  }

  add(other) {
    const handle = recordableOf(this);
    if (!isRecordable(other)) {
      throw new codes.ERR_INVALID_ARG_TYPE('other', 'RecordableHistogram', other);
    }
    handle.add(other[kHandle]);
  }
}

// How late the loop is: the time between two rounds of a timer.
class ELDHistogram extends Histogram {
  enable() {
    const handle = handleOf(this);
    if (this[kEnabled]) return false;
    this[kEnabled] = true;
    handle.start(this[kResolution], true);
    return true;
  }

  disable() {
    const handle = handleOf(this);
    if (!this[kEnabled]) return false;
    this[kEnabled] = false;
    handle.stop();
    return true;
  }

  [Symbol.dispose]() {
    this.disable();
  }
}

function isRecordable(value) {
  return value?.[kRecordable] !== undefined;
}

function hide(object, values) {
  for (const key of Reflect.ownKeys(values)) {
    Object.defineProperty(object, key, { value: values[key], writable: true });
  }
  return object;
}

function createHistogram(options = {}) {
  validateObject(options, 'options');
  const { lowest = 1, highest = Number.MAX_SAFE_INTEGER, figures = 3 } = options;
  if (typeof lowest !== 'bigint') validateInteger(lowest, 'options.lowest', 1);
  if (typeof highest !== 'bigint') {
    validateInteger(highest, 'options.highest', 2 * Number(lowest));
  } else if (highest < 2n * BigInt(lowest)) {
    throw new codes.ERR_INVALID_ARG_VALUE.RangeError('options.highest', highest);
  }
  validateInteger(figures, 'options.figures', 1, 5);
  const handle = new (binding('histogram').Histogram)(lowest, highest, figures);
  return hide(new RecordableHistogram(kSkipThrow), { [kHandle]: handle, [kRecordable]: true });
}

function monitorEventLoopDelay(options = {}) {
  validateObject(options, 'options');
  const { resolution = 10 } = options;
  validateInteger(resolution, 'options.resolution', 1);
  const handle = new (binding('histogram').Histogram)(1, 3600e9, 3); // an hour
  return hide(new ELDHistogram(kSkipThrow),
    { [kHandle]: handle, [kResolution]: resolution, [kEnabled]: false });
}

module.exports = { createHistogram, monitorEventLoopDelay, isRecordable };
