// createSlidingWindowHistogram(): only what was recorded lately.
const { createSlidingWindowHistogram } = require('perf_hooks');
const attempt = (call) => {
  try {
    console.log(call());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
};

const byRecords = createSlidingWindowHistogram({ chunks: 3, recordsPerChunk: 2, highest: 1000 });
for (let i = 1; i <= 9; i++) {
  byRecords.record(i);
  const { constructor, count, min, max, mean } = byRecords.snapshot();
  console.log(i, constructor.name, count, min, max, mean);
}
byRecords.record(2n ** 60n);
console.log(byRecords.snapshot().exceeds, byRecords.snapshot().count);
const before = byRecords.snapshot();
byRecords.reset();
console.log(byRecords.snapshot().count, before.count, before.record);

const busy = (ms) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};
const byTime = createSlidingWindowHistogram({ chunks: 2, chunkDuration: 200 });
byTime.record(5);
busy(250);
byTime.record(6);
console.log(byTime.snapshot().count);
busy(200);
byTime.record(7);
console.log(byTime.snapshot().min, byTime.snapshot().count);
busy(600);
console.log(byTime.snapshot().count);

for (const options of [undefined, {}, { chunks: 1 }, { chunks: 0, recordsPerChunk: 1 }, { chunks: 1025, recordsPerChunk: 1 },
  { chunks: 1, recordsPerChunk: 1, chunkDuration: 1 }, { chunks: 1, recordsPerChunk: 0 }, { chunks: 1, chunkDuration: 0 },
  { chunks: 1, chunkDuration: 1e14 }, { chunks: 1, chunkDuration: 1, figures: 6 },
  { chunks: 1, chunkDuration: 1, lowest: 5, highest: 6 }]) attempt(() => createSlidingWindowHistogram(options));
for (const value of [0, -1n, 'x', 1.5, 2n ** 63n]) attempt(() => byRecords.record(value));
for (const name of ['record', 'snapshot', 'reset']) attempt(() => byRecords[name].call({}, 1));
attempt(() => new byRecords.constructor());
attempt(() => structuredClone(byRecords.snapshot()).count);
