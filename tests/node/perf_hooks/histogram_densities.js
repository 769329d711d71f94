// Histogram.qrde(): quantiles, and how dense the values are between them.
const { createHistogram } = require('perf_hooks');

const shown = (value) => JSON.stringify(value, (key, item) => {
  if (typeof item === 'bigint') return `${item}n`;
  if (ArrayBuffer.isView(item)) return Array.from(item);
  if (typeof item !== 'number' || Number.isInteger(item)) return item;
  return Number.isFinite(item) ? Number(item.toPrecision(9)) : String(item);
});
function made(values, options) {
  const histogram = createHistogram(options);
  for (const value of values) histogram.record(value);
  return histogram;
}
const histograms = {
  empty: made([]),
  one: made([7]),
  equal: made([7, 7, 7]),
  two: made([7, 7, 7, 9]),
  tails: made([7, 9, 9, 9]),
  inside: made([7, 8, 8, 8, 9]),
  coarse: made([1000, 1000, 5000, 5000], { figures: 1 }),
  sameBucket: made([1000, 1000, 1000], { figures: 1 }),
  many: made(Array.from({ length: 1000 }, (_, i) => (i + 1) ** 2), { figures: 1 }),
  steps: made([1000, 1000, 5000, 5000], { lowest: 600 }),
};
(async () => {
  for (const [name, histogram] of Object.entries(histograms)) {
    for (const dequantize of ['none', 'hdr', 'all']) {
      console.log(name, shown(await histogram.qrde({ bins: 5, dequantize })));
    }
    console.log(shown(await histogram.qrde({ probabilities: [0, 0.1, 0.5, 0.99, 1], cache: true })));
    const { probabilities, quantiles } = await histogram.qrde();
    console.log(probabilities.length, quantiles.length, Object.getPrototypeOf(await histogram.qrde()));
  }
  for (const options of [{ bins: 0 }, { bins: 1001 }, { bins: 1.5 }, { bins: 2, probabilities: [0, 1] }, { probabilities: 1 },
    { probabilities: [0] }, { probabilities: [0, 0.5] }, { probabilities: [0.1, 1] }, { probabilities: [0, 0.5, 0.5, 1] },
    { probabilities: [0, 2] }, { probabilities: [0, '1'] }, { dequantize: 'some' }, { cache: 1 }, 1, null,
    { probabilities: Array.from({ length: 1002 }, (_, i) => i / 1001) }]) {
    try {
      await histograms.one.qrde(options);
    } catch ({ name, code, message }) {
      console.log(name, code, message);
    }
  }
})();
