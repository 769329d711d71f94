// A stack that no machine has is refused; the program goes on.
'use strict';
const { Worker } = require('node:worker_threads');

for (const stackSizeMb of [2 ** 40, 2 ** 44, 2 ** 64, Infinity]) {
  try {
    new Worker('', { eval: true, resourceLimits: { stackSizeMb } });
  } catch (error) {
    console.log(stackSizeMb, error.code);
  }
}
for (const stackSizeMb of [0.7, 4, -1, NaN]) {
  const worker = new Worker('', { eval: true, resourceLimits: { stackSizeMb } });
  console.log(stackSizeMb, worker.resourceLimits.stackSizeMb);
}
