// Confidence intervals, comparisons of two histograms, and counts by levels.
const { createHistogram } = require('perf_hooks');

// Small probabilities differ: Node subtracts them from 1 in between.
function rounded(key, number) {
  if (typeof number !== 'number' || Number.isInteger(number)) return number;
  if (!Number.isFinite(number)) return String(number);
  return Number(key === 'pValue' ? number.toFixed(12) : number.toPrecision(9));
}
const shown = (value) => JSON.stringify(value, rounded);
function made(values, options) {
  const histogram = createHistogram(options);
  for (const value of values) histogram.record(value);
  return histogram;
}
const upTo = (n, f) => Array.from({ length: n }, (_, i) => f(i + 1));
const all = {
  ones: made(upTo(100, (i) => i)),
  twos: made(upTo(100, (i) => 2 * i + 3)),
  coarse: made(upTo(1000, (i) => i * i), { figures: 1 }),
  few: made([1, 5, 9, 10, 11, 20, 25, 100], { highest: 1000 }),
  same: made([7, 7]),
  other: made([9, 9]),
  single: made([7]),
  empty: made([]),
};
for (const [name, histogram] of Object.entries(all)) {
  console.log(name, shown(histogram.meanCI()), shown(histogram.meanCI({ confidence: 0.5 })));
  for (const percentile of [0.5, 1, 50, 99, 100]) {
    console.log(percentile, shown(histogram.percentileCI(percentile)),
      shown(histogram.percentileCI(percentile, { confidence: 0.9 })));
  }
  for (const [otherName, second] of Object.entries(all)) {
    console.log(name, otherName, shown([histogram.ksTest(second), histogram.mannWhitneyTest(second),
      histogram.welchTest(second), histogram.welchTest(second, { confidence: 0.999 }), histogram.cohensD(second),
      histogram.cliffsD(second)]));
  }
}
const clone = structuredClone(all.ones);
console.log(shown([all.ones.mannWhitneyTest(clone), all.ones.welchTest(clone), all.ones.cliffsD(clone)]));
console.log(all.few.linearBuckets(10), all.few.linearBuckets(33), all.few.logBuckets(1, 2), all.few.logBuckets(10, 2.5));
console.log(all.coarse.linearBuckets(100_000), all.coarse.logBuckets(1, 2), all.coarse.logBuckets(100, 10));
console.log(all.single.linearBuckets(1), all.empty.linearBuckets(3), all.empty.logBuckets(1, 3));

const attempt = (call) => {
  try {
    console.log(call());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
};
for (const options of [{ confidence: 1 }, { confidence: 0 }, { confidence: NaN }, { confidence: '1' }, 1, null]) {
  attempt(() => all.ones.meanCI(options));
  attempt(() => all.ones.welchTest(all.twos, options));
  attempt(() => all.ones.percentileCI(50, options));
}
for (const value of [0, 101, 'x', undefined]) attempt(() => all.ones.percentileCI(value));
for (const name of ['ksTest', 'welchTest', 'mannWhitneyTest', 'cohensD', 'cliffsD', 'meanCI', 'export']) {
  if (all.ones[name].length > 0) attempt(() => all.ones[name]({}));
  attempt(() => all.ones[name].call({}, all.ones));
}
for (const value of [0, 1.5, 'x']) attempt(() => all.ones.linearBuckets(value));
for (const values of [[0, 2], [1, 1], [1, '2'], [1.5, 2]]) attempt(() => all.ones.logBuckets(...values));
