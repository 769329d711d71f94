'use strict';
// createHistogram() and monitorEventLoopDelay(): the counting is done in C++.

const { codes } = require('internal/errors');
const { kClone, kDeserialize, markCloneable } = require('internal/messaging/transferable');
const { inspectAs, inspectCustom, kSkipThrow, refuse } = require('internal/perf/utils');
const { validateArray, validateInteger, validateNumber, validateObject } = require('internal/validators');

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

function validatePercentile(percentile, name = 'percentile') {
  validateNumber(percentile, name);
  if (Number.isNaN(percentile) || percentile <= 0 || percentile > 100) {
    throw new codes.ERR_OUT_OF_RANGE(name, '> 0 && <= 100', percentile);
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

  ccdf(value) {
    return 1 - this.cdf(value);
  }

  // The part of the values that are not above this one.
  cdf(value) {
    const handle = handleOf(this);
    validateNumber(value, 'value');
    const count = handle.count();
    return count === 0 ? 0 : handle.countTo(value) / count;
  }

  countAt(value) {
    const handle = handleOf(this);
    validateNumber(value, 'value');
    return handle.countAt(value);
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

  get ewmaMean() {
    return handleOf(this).movingMean();
  }

  get ewmaStddev() {
    return handleOf(this).movingStddev();
  }

  get ewmaErrorRate() {
    return handleOf(this).movingErrorRate();
  }

  // How fast errors use up what the target leaves for them.
  burnRate(sloTarget) {
    const handle = handleOf(this);
    validateNumber(sloTarget, 'sloTarget');
    if (Number.isNaN(sloTarget) || sloTarget <= 0 || sloTarget >= 1) {
      throw new codes.ERR_OUT_OF_RANGE('sloTarget', '> 0 && < 1', sloTarget);
    }
    return handle.movingErrorRate() / (1 - sloTarget);
  }

  get kurtosis() {
    return handleOf(this).kurtosis();
  }

  get skewness() {
    return handleOf(this).skewness();
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

  percentilesAt(percentiles) {
    const handle = handleOf(this);
    validateArray(percentiles, 'percentiles');
    percentiles.forEach((percentile, i) => validatePercentile(percentile, `percentiles[${i}]`));
    const isEmpty = handle.count() === 0;
    const map = new OrdinaryMap();
    for (const percentile of [...percentiles].sort((a, b) => a - b)) {
      map.set(percentile, isEmpty ? 1 : handle.percentile(percentile));
    }
    return map;
  }

  reset() {
    handleOf(this).reset();
  }

  [kClone]() {
    return { data: { handle: this[kHandle] }, deserializeInfo: 'internal/perf/histogram:ClonedHistogram' };
  }

  [kDeserialize]({ handle }) {
    this[kHandle] = handle;
  }

  toJSON() {
    return {
      count: this.count,
      min: this.min,
      max: this.max,
      mean: this.mean,
      exceeds: this.exceeds,
      stddev: this.stddev,
      skewness: this.skewness,
      kurtosis: this.kurtosis,
      ewmaMean: this.ewmaMean,
      ewmaStddev: this.ewmaStddev,
      ewmaErrorRate: this.ewmaErrorRate,
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
      skewness: this.skewness,
      kurtosis: this.kurtosis,
      count: this.count,
      percentiles: this.percentiles,
    }, depth, options);
  }
}

class RecordableHistogram extends Histogram {
  record(val) {
    const handle = recordableOf(this);
    if (typeof val === 'bigint') validateBigInt(val, 'value');
    else validateInteger(val, 'val', 1);
    handle.record(val);
  }

  recordDelta() {
    recordableOf(this).recordDelta();
  }

  recordCorrected(val, expectedInterval) {
    const handle = recordableOf(this);
    if (typeof val === 'bigint') {
      if (typeof expectedInterval !== 'bigint') {
        throw new codes.ERR_INVALID_ARG_TYPE('expectedInterval', 'bigint', expectedInterval);
      }
      validateBigInt(val, 'value');
      validateBigInt(expectedInterval, 'expected_interval');
    } else {
      validateInteger(val, 'val', 1);
      validateInteger(expectedInterval, 'expectedInterval', 1);
    }
    handle.recordCorrected(val, expectedInterval);
  }

  subtract(other) {
    const handle = recordableOf(this);
    handle.subtract(otherHandle(other));
  }

  add(other) {
    const handle = recordableOf(this);
    handle.add(otherHandle(other));
  }

  [kClone]() {
    return { data: { handle: this[kHandle] }, deserializeInfo: 'internal/perf/histogram:ClonedRecordableHistogram' };
  }
}

// How late the loop is: the time between two expiries of a timer.
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

function otherHandle(other) {
  if (other[kRecordable] === undefined) {
    throw new codes.ERR_INVALID_ARG_TYPE('other', 'RecordableHistogram', other);
  }
  return other[kHandle];
}

function validateBigInt(value, name) {
  if (value >= 1n && value < 2n ** 63n) return;
  const error = new RangeError(`${name} is out of range`);
  error.code = 'ERR_OUT_OF_RANGE';
  throw error;
}

const kMostInt64 = 2n ** 63n - 1n;

function validateLimit(value, name) {
  if (typeof value !== 'bigint') validateInteger(value, name, 1, Number.MAX_SAFE_INTEGER);
  else if (value < 1n || value > kMostInt64) throw new codes.ERR_OUT_OF_RANGE(name, `>= 1n && <= ${kMostInt64}n`, value);
}

function validateShape(lowest, highest, figures) {
  validateLimit(lowest, 'options.lowest');
  validateLimit(highest, 'options.highest');
  const least = 2n * BigInt(lowest);
  if (BigInt(highest) < least) {
    throw new codes.ERR_OUT_OF_RANGE('options.highest', `>= 2 * options.lowest (${least}n)`, highest);
  }
  validateInteger(figures, 'options.figures', 1, 5);
}

function validateNotNegative(value, name) {
  validateNumber(value, name);
  if (value < 0) throw new codes.ERR_OUT_OF_RANGE(name, '>= 0', value);
}

function hide(object, values) {
  for (const key of Reflect.ownKeys(values)) {
    Object.defineProperty(object, key, { value: values[key], writable: true });
  }
  markCloneable(object);
  return object;
}

// What a clone is made by; its handle comes then, and shares what has been recorded.
function ClonedHistogram() {
  return hide(new Histogram(kSkipThrow), { [kHandle]: undefined });
}

ClonedHistogram.prototype[kDeserialize] = () => {};

function ClonedRecordableHistogram() {
  return hide(new RecordableHistogram(kSkipThrow), { [kHandle]: undefined, [kRecordable]: true });
}

ClonedRecordableHistogram.prototype[kDeserialize] = () => {};

function createHistogram(options = {}) {
  validateObject(options, 'options');
  const { lowest = 1, highest = Number.MAX_SAFE_INTEGER, figures = 3, halfLife = 0, threshold = 0 } = options;
  validateShape(lowest, highest, figures);
  validateNotNegative(halfLife, 'options.halfLife');
  validateNotNegative(threshold, 'options.threshold');
  const handle = new (binding('histogram').Histogram)(lowest, highest, figures, halfLife, threshold);
  return hide(new RecordableHistogram(kSkipThrow), { [kHandle]: handle, [kRecordable]: true });
}

function monitorEventLoopDelay(options = {}) {
  validateObject(options, 'options');
  const { resolution = 10 } = options;
  validateInteger(resolution, 'options.resolution', 1);
  const handle = new (binding('histogram').Histogram)(1, 3600e9, 3, 0, 0); // an hour
  return hide(new ELDHistogram(kSkipThrow),
    { [kHandle]: handle, [kResolution]: resolution, [kEnabled]: false });
}

module.exports = { ClonedHistogram, ClonedRecordableHistogram, createHistogram, isRecordable, monitorEventLoopDelay };
