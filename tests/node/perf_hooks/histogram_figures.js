'use strict';
// Figures of histograms: distributions, moving averages, corrected and subtracted values, and what is refused.
const { createHistogram, monitorEventLoopDelay } = require('node:perf_hooks');

function figures(histogram) {
  const { skewness, kurtosis, ewmaMean, ewmaStddev, ewmaErrorRate } = histogram;
  return [skewness, kurtosis, ewmaMean, ewmaStddev, ewmaErrorRate].map((value) => Number(value.toPrecision(12)));
}

const empty = createHistogram();
console.log(JSON.stringify(empty), empty.cdf(5), empty.ccdf(5), empty.percentilesAt([50, 99]), empty.burnRate(0.9));
const histogram = createHistogram();
for (const value of [1, 5, 5, 900, 123456]) {
  histogram.record(value);
  console.log(value, figures(histogram));
}
console.log([5, 0, -1, 1e9, 4.5, 123400, 123456, 899.5, 900].map((value) => [histogram.cdf(value), Number(histogram.ccdf(value).toPrecision(12))]));
console.log([5, 4, 123400, 123456, 1].map((value) => histogram.countAt(value)), histogram.percentilesAt([50, 99, 20, 100, 0.1]));

for (const halfLife of [0, 1, 2, 5]) {
  const moving = createHistogram({ halfLife, threshold: 15 });
  for (const value of [10, 20, 30, 40, 5]) {
    moving.record(value);
    console.log(halfLife, value, figures(moving), Number(moving.burnRate(0.9).toPrecision(12)));
  }
  moving.reset();
  console.log(figures(moving));
}

const other = createHistogram();
for (const value of [5n, 7, 70, 71]) other.record(value);
other.subtract(histogram);
console.log(other.count, other.min, other.max, figures(other));
other.recordCorrected(100, 10);
other.recordCorrected(50n, 20n);
console.log(other.count, other.min, other.max, other.percentiles);

const attempts = [
  () => histogram.record(0), () => histogram.record(-1n), () => histogram.record(1.5), () => histogram.recordCorrected(1, 0), () => histogram.recordCorrected(1n, 1),
  () => histogram.recordCorrected(-1n, 1n), () => histogram.recordCorrected(1n, -1n), () => histogram.subtract({}), () => histogram.add({}), () => histogram.cdf('x'),
  () => histogram.countAt(1n), () => histogram.percentilesAt(5), () => histogram.percentilesAt([5, 101]), () => histogram.burnRate(1), () => createHistogram({ halfLife: -1 }),
  () => createHistogram({ threshold: '1' }), () => createHistogram({ lowest: 0n }), () => createHistogram({ highest: 2n ** 63n }), () => createHistogram({ lowest: 10, highest: 19 }),
  () => createHistogram({ highest: 1.5 }), () => Object.getPrototypeOf(Object.getPrototypeOf(histogram)).cdf.call({}, 1),
];
for (const attempt of attempts) {
  try {
    console.log(attempt());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
console.log(Object.keys(monitorEventLoopDelay().toJSON()));
