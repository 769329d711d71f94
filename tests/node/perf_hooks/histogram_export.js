// Histograms as bytes.
const { createHistogram, importHistogram } = require('perf_hooks');

function show(histogram) {
  const bytes = histogram.export();
  console.log(Buffer.from(bytes).toString('hex'), bytes.constructor.name);
  const copy = importHistogram(bytes);
  console.log(JSON.stringify(copy) === JSON.stringify(histogram), copy.constructor.name, copy.count);
  for (const one of [copy, histogram]) one.record(60);
  console.log(Buffer.compare(copy.export(), histogram.export()), copy.ewmaMean === histogram.ewmaMean);
}

show(createHistogram());
const options = [{}, { halfLife: 10, threshold: 50 }, { halfLife: 3 }, { threshold: 3 }, { lowest: 1000, highest: 100_000, figures: 2 },
  { highest: 2n ** 63n - 1n, figures: 5 }, { figures: 1 }, { highest: 2 }];
for (const one of options) {
  const histogram = createHistogram(one);
  for (let i = 1; i < 50; i++) histogram.record(i * 1777);
  show(histogram);
}
const large = createHistogram({ highest: 2n ** 63n - 1n });
large.record(2n ** 62n);
show(large);

const attempt = (data) => {
  try {
    console.log(importHistogram(data).count);
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
};
const bytes = createHistogram().export();
for (const data of ['text', undefined, new ArrayBuffer(8), new Uint8Array(0), new Uint8Array([1, 2, 3])]) attempt(data);
for (let length = 0; length < bytes.length; length++) attempt(bytes.subarray(0, length));
for (const i of [0, 1, 2, 5, bytes.length - 1]) {
  const damaged = Uint8Array.from(bytes);
  damaged[i] = 0xff;
  attempt(damaged);
}
attempt(Buffer.from(bytes));
