'use strict';
// createHistogram() and monitorEventLoopDelay(): the counting is done in C++.

const { codes } = require('internal/errors');
const { kClone, kDeserialize, markCloneable } = require('internal/messaging/transferable');
const { kEmptyObject } = require('internal/util');
const { inspectAs, inspectCustom, kSkipThrow, refuse } = require('internal/perf/utils');
const {
  validateArray, validateBoolean, validateInteger, validateNumber, validateObject, validateOneOf,
} = require('internal/validators');

const statistics = require('internal/perf/histogram_statistics');
const { isUint8Array } = require('internal/util/types');

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

function confidenceOf(options) {
  validateObject(options, 'options');
  const { confidence = 0.95 } = options;
  validateNumber(confidence, 'options.confidence');
  if (Number.isNaN(confidence) || confidence <= 0 || confidence >= 1) {
    throw new codes.ERR_OUT_OF_RANGE('options.confidence', '> 0 && < 1', confidence);
  }
  return confidence;
}

const kDefaultBins = 100;
const kMostBins = 1000;

// The bounds of the bins of qrde(), from 0 to 1.
function probabilitiesOf(options) {
  const { bins, probabilities } = options;
  if (probabilities === undefined) {
    const count = bins ?? kDefaultBins;
    validateInteger(count, 'options.bins', 1, kMostBins);
    return Float64Array.from({ length: count + 1 }, (_, i) => i / count);
  }
  if (bins !== undefined) {
    throw new codes.ERR_INVALID_ARG_VALUE('options', options, '"bins" and "probabilities" are mutually exclusive');
  }
  validateArray(probabilities, 'options.probabilities', 2);
  const { length } = probabilities;
  if (length > kMostBins + 1) throw new codes.ERR_OUT_OF_RANGE('options.probabilities.length', '>= 2 && <= 1001', length);
  const refuseThem = (reason) => {
    throw new codes.ERR_INVALID_ARG_VALUE('options.probabilities', probabilities, reason);
  };
  for (let i = 0; i < length; i++) {
    validateNumber(probabilities[i], `options.probabilities[${i}]`, 0, 1);
    if (i > 0 && !(probabilities[i] > probabilities[i - 1])) refuseThem('must be strictly increasing');
  }
  if (probabilities[0] !== 0 || probabilities[length - 1] !== 1) refuseThem('must start with 0 and end with 1');
  return Float64Array.from(probabilities);
}

// What a histogram is compared with.
function comparedHandle(other) {
  if (other?.[kHandle] === undefined) throw new codes.ERR_INVALID_ARG_TYPE('other', 'Histogram', other);
  return other[kHandle];
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

  meanCI(options = kEmptyObject) {
    return statistics.meanCI(handleOf(this), confidenceOf(options));
  }

  get exceeds() {
    return handleOf(this).exceeds();
  }

  get exceedsBigInt() {
    return handleOf(this).exceedsBigInt();
  }

  export() {
    return handleOf(this).export();
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

  ksTest(other) {
    return statistics.ksTest(handleOf(this), comparedHandle(other));
  }

  welchTest(other, options = kEmptyObject) {
    const handle = handleOf(this);
    return statistics.welchTest(handle, comparedHandle(other), confidenceOf(options));
  }

  mannWhitneyTest(other) {
    return statistics.mannWhitneyTest(handleOf(this), comparedHandle(other));
  }

  cohensD(other) {
    return statistics.cohensD(handleOf(this), comparedHandle(other));
  }

  cliffsD(other) {
    return statistics.cliffsD(handleOf(this), comparedHandle(other));
  }

  get kurtosis() {
    return handleOf(this).kurtosis();
  }

  linearBuckets(stepSize) {
    const handle = handleOf(this);
    validateInteger(stepSize, 'stepSize', 1);
    return statistics.linearBuckets(handle, stepSize);
  }

  logBuckets(firstBucket, base) {
    const handle = handleOf(this);
    validateInteger(firstBucket, 'firstBucket', 1);
    validateNumber(base, 'base');
    if (base <= 1) throw new codes.ERR_OUT_OF_RANGE('base', '> 1', base);
    return statistics.logBuckets(handle, firstBucket, base);
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

  percentileCI(percentile, options = kEmptyObject) {
    const handle = handleOf(this);
    validatePercentile(percentile);
    return statistics.percentileCI(handle, percentile, confidenceOf(options));
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

  // Quantiles and densities: a promise, so that they can be computed elsewhere.
  qrde(options = kEmptyObject) {
    const handle = handleOf(this);
    validateObject(options, 'options');
    const { dequantize = 'hdr', cache = false } = options;
    const probabilities = probabilitiesOf(options);
    validateOneOf(dequantize, 'options.dequantize', ['none', 'hdr', 'all']);
    validateBoolean(cache, 'options.cache');
    return Promise.resolve(statistics.quantileDensities(handle, probabilities, dequantize));
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
  return recordable(new (binding('histogram').Histogram)(lowest, highest, figures, halfLife, threshold));
}

function recordable(handle) {
  return hide(new RecordableHistogram(kSkipThrow), { [kHandle]: handle, [kRecordable]: true });
}

// data: what export() has returned, perhaps in another process.
function importHistogram(data) {
  if (!isUint8Array(data)) throw new codes.ERR_INVALID_ARG_TYPE('data', 'Uint8Array', data);
  return recordable(new (binding('histogram').Histogram)(data));
}

// One that nothing can be recorded into.
function finishedHistogram(handle) {
  return hide(new Histogram(kSkipThrow), { [kHandle]: handle });
}

function monitorEventLoopDelay(options = {}) {
  validateObject(options, 'options');
  const { resolution = 10 } = options;
  validateInteger(resolution, 'options.resolution', 1);
  const handle = new (binding('histogram').Histogram)(1, 3600e9, 3, 0, 0); // an hour
  return hide(new ELDHistogram(kSkipThrow),
    { [kHandle]: handle, [kResolution]: resolution, [kEnabled]: false });
}

module.exports = {
  ClonedHistogram,
  ClonedRecordableHistogram,
  createHistogram,
  finishedHistogram,
  importHistogram,
  isRecordable,
  monitorEventLoopDelay,
  validateBigInt,
  validateShape,
};
