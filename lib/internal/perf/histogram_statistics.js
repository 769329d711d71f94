'use strict';
// What the methods of Histogram compute from the counts of one histogram or two.

const { beta, binomialQuantile, normalBothTails, studentBothTails, studentWithin } = require('internal/perf/distributions');

const OrdinaryMap = Map; // for maps that programs get: `new Map()` in this file is one of our own

function* bucketsOf(handle) {
  const numbers = handle.buckets();
  for (let i = 0; i < numbers.length; i += 4) {
    yield { index: numbers[i], lowest: numbers[i + 1], highest: numbers[i + 2], count: numbers[i + 3] };
  }
}

// The variance of all values that there could be, of which those recorded are a sample.
function sampleVariance(handle) {
  const count = handle.count();
  return handle.stddev() ** 2 * (count / (count - 1));
}

function meanCI(handle, confidence) {
  const count = handle.count();
  const mean = handle.mean();
  if (count < 2) return { __proto__: null, mean, lower: NaN, upper: NaN };
  const error = Math.sqrt(sampleVariance(handle) / count);
  const reach = error === 0 ? 0 : studentWithin(confidence, count - 1) * error;
  return { __proto__: null, mean, lower: mean - reach, upper: mean + reach };
}

// The largest value of the bucket in which the value of this rank is, from 1.
function valueOfRank(handle, rank) {
  let seen = 0;
  for (const { highest, count } of bucketsOf(handle)) {
    seen += count;
    if (seen >= rank) return highest;
  }
  return 0;
}

// Between which ranks the percentile of all values lies: how many of `count` values are below it is binomial.
function percentileCI(handle, percentile, confidence) {
  const count = handle.count();
  if (count === 0) return { __proto__: null, value: 0, lower: 0, upper: 0 };
  const part = percentile / 100;
  const outside = (1 - confidence) / 2;
  const lower = part >= 1 ? count : Math.max(binomialQuantile(outside, count, part), 1);
  const upper = part >= 1 ? count : Math.min(binomialQuantile(1 - outside, count, part) + 1, count);
  return {
    __proto__: null,
    value: handle.percentile(percentile),
    lower: valueOfRank(handle, lower),
    upper: valueOfRank(handle, upper),
  };
}

// Calls visit(count in the one, count in the other) for each bucket that is not empty in both. As in Node, buckets of
// the same index are compared, also where `lowest` or `figures` differ.
function visitBoth(one, other, visit) {
  const counts = new Map();
  for (const { index, count } of bucketsOf(one)) counts.set(index, [count, 0]);
  for (const { index, count } of bucketsOf(other)) {
    const pair = counts.get(index);
    if (pair === undefined) counts.set(index, [0, count]);
    else pair[1] = count;
  }
  for (const index of [...counts.keys()].sort((a, b) => a - b)) visit(...counts.get(index));
}

// The largest difference of both distribution functions.
function ksTest(one, other) {
  const [ofOne, ofOther] = [one.count(), other.count()];
  if (ofOne === 0 || ofOther === 0) return 0;
  let [below, belowOther, largest] = [0, 0, 0];
  visitBoth(one, other, (count, otherCount) => {
    below += count;
    belowOther += otherCount;
    largest = Math.max(largest, Math.abs(below / ofOne - belowOther / ofOther));
  });
  return largest;
}

function welchResult(tStatistic, degreesOfFreedom, pValue, lower, upper) {
  return {
    __proto__: null, tStatistic, degreesOfFreedom, pValue, confidenceInterval: { __proto__: null, lower, upper },
  };
}

function welchTest(one, other, confidence) {
  const [ofOne, ofOther] = [one.count(), other.count()];
  if (ofOne < 2 || ofOther < 2 || one.sharesWith(other)) return welchResult(0, 0, 1, 0, 0);
  const [errorOfOne, errorOfOther] = [sampleVariance(one) / ofOne, sampleVariance(other) / ofOther];
  const both = errorOfOne + errorOfOther;
  if (both === 0) return welchResult(0, 0, 1, 0, 0);
  const difference = one.mean() - other.mean();
  const t = difference / Math.sqrt(both);
  const freedom = both ** 2 / (errorOfOne ** 2 / (ofOne - 1) + errorOfOther ** 2 / (ofOther - 1));
  const reach = studentWithin(confidence, freedom) * Math.sqrt(both);
  return welchResult(t, freedom, studentBothTails(t, freedom), difference - reach, difference + reach);
}

// In how many pairs of a value here and a value there the first is larger; equal ones count half. `ties`: what equal
// values take from the variance of that number.
function countLarger(one, other) {
  let [larger, belowOther, ties] = [0, 0, 0];
  visitBoth(one, other, (count, otherCount) => {
    larger += count * (belowOther + otherCount / 2);
    belowOther += otherCount;
    const equal = count + otherCount;
    ties += equal ** 3 - equal;
  });
  return { larger, ties };
}

function mannWhitneyTest(one, other) {
  const [ofOne, ofOther] = [one.count(), other.count()];
  if (ofOne === 0 || ofOther === 0 || one.sharesWith(other)) {
    return { __proto__: null, uStatistic: 0, zScore: 0, pValue: 1 };
  }
  const { larger, ties } = countLarger(one, other);
  const pairs = ofOne * ofOther;
  const all = ofOne + ofOther;
  const variance = pairs / 12 * (all + 1 - ties / (all * (all - 1)));
  const zScore = variance > 0 ? (larger - pairs / 2) / Math.sqrt(variance) : 0;
  return { __proto__: null, uStatistic: larger, zScore, pValue: normalBothTails(zScore) };
}

function cohensD(one, other) {
  const [ofOne, ofOther] = [one.count(), other.count()];
  if (ofOne < 2 || ofOther < 2) return 0;
  const pooled = ((ofOne - 1) * sampleVariance(one) + (ofOther - 1) * sampleVariance(other)) / (ofOne + ofOther - 2);
  return pooled === 0 ? 0 : (one.mean() - other.mean()) / Math.sqrt(pooled);
}

function cliffsD(one, other) {
  const pairs = one.count() * other.count();
  if (pairs === 0 || one.sharesWith(other)) return 0;
  return 2 * countLarger(one, other).larger / pairs - 1;
}

// How many values there are up to each level, above the one before it. A level is the smallest value of its bucket, so
// levels close to each other may be the same.
function countsUpTo(handle, first, nextLevel) {
  const map = new OrdinaryMap();
  let level = first;
  let key = handle.lowestEqual(level);
  for (const { lowest, count } of bucketsOf(handle)) {
    while (lowest > key) {
      if (!map.has(key)) map.set(key, 0);
      level = nextLevel(level);
      key = handle.lowestEqual(level);
    }
    map.set(key, (map.get(key) ?? 0) + count);
  }
  return map;
}

function linearBuckets(handle, stepSize) {
  return countsUpTo(handle, stepSize, (level) => level + stepSize);
}

// A base of 2 or more counts without its fraction, as in Node; Node does not end with a smaller one.
function logBuckets(handle, firstBucket, base) {
  const factor = base >= 2 ? Math.floor(base) : base;
  return countsUpTo(handle, firstBucket, (level) => Math.max(level + 1, Math.floor(level * factor)));
}

// ---- Densities -------------------------------------------------------------------------------------------------

// Where the values of each bucket are: [from, to], with the parts of all values that are below and up to it. Several
// values are spread evenly over the bucket, which is what `dequantize` says: 'none', 'hdr' where a bucket has
// several values that differ, 'all' also where they are equal.
function spreadBuckets(handle, dequantize) {
  const total = handle.count();
  const buckets = [...bucketsOf(handle)];
  let seen = 0;
  return buckets.map(({ lowest, highest, count }, i) => {
    const width = highest - lowest + 1;
    const middle = lowest + Math.floor(width / 2);
    const below = seen / total;
    seen += count;
    const isSpread = count > 1 && (width > 1 ? dequantize !== 'none' : dequantize === 'all');
    let [from, to] = [middle, middle];
    if (isSpread) [from, to] = width > 1 ? [lowest, lowest + width] : [middle - 0.5, middle + 0.5];
    // Nothing is smaller than the smallest value, or larger than the largest.
    if (i === 0 && buckets.length > 1) from = middle;
    if (i === buckets.length - 1 && i > 0) to = middle;
    return { from, to, below, upTo: seen / total };
  });
}

// The quantile of Harrell and Davis: the mean of all values, each weighted by the part of a beta distribution at its place.
function weightedQuantile(buckets, total, probability) {
  if (probability === 0) return buckets[0].from;
  if (probability === 1) return buckets.at(-1).to;
  const a = (total + 1) * probability;
  const b = (total + 1) * (1 - probability);
  let sum = 0;
  let weightBelow = 0;
  for (const { from, to, below, upTo } of buckets) {
    const weightUpTo = beta(a, b, upTo);
    const weight = weightUpTo - weightBelow;
    sum += weight * from;
    if (to !== from) {
      // The first moment of the part of the distribution that belongs to this bucket.
      const moment = probability * (beta(a + 1, b, upTo) - beta(a + 1, b, below));
      sum += (moment - below * weight) / (upTo - below) * (to - from);
    }
    weightBelow = weightUpTo;
  }
  return sum;
}

// Quantiles at these probabilities, and the density of the values between each two of them.
function quantileDensities(handle, probabilities, dequantize) {
  const total = handle.count();
  const buckets = spreadBuckets(handle, dequantize);
  const quantiles = new Float64Array(total === 0 ? 0 : probabilities.length);
  const densities = new Float64Array(total === 0 ? 0 : probabilities.length - 1);
  let corrections = 0; // of quantiles that are smaller than the one before, by rounding
  for (let i = 0; i < quantiles.length; i++) {
    const quantile = weightedQuantile(buckets, total, probabilities[i]);
    const isCorrected = i > 0 && quantile < quantiles[i - 1];
    if (isCorrected) corrections++;
    quantiles[i] = isCorrected ? quantiles[i - 1] : quantile;
    if (i > 0) densities[i - 1] = (probabilities[i] - probabilities[i - 1]) / (quantiles[i] - quantiles[i - 1]);
  }
  return {
    __proto__: null, probabilities, quantiles, densities, count: handle.countBigInt(), bucketCount: buckets.length,
    corrections, dequantize,
  };
}

module.exports = {
  cliffsD, cohensD, ksTest, linearBuckets, logBuckets, mannWhitneyTest, meanCI, percentileCI, quantileDensities, welchTest,
};
