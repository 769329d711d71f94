// resourceLimits
const { Worker, resourceLimits } = require('node:worker_threads');
console.log(resourceLimits);
const worker = new Worker(`
  const { resourceLimits, parentPort } = require('worker_threads');
  parentPort.postMessage(resourceLimits);
  const kept = [];
  for (;;) kept.push(new Array(1000).fill({}));
`, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4, codeRangeSizeMb: 16, stackSizeMb: 1 } });
console.log(worker.resourceLimits);
worker.on('message', (limits) => console.log(limits));
worker.on('error', (error) => console.log(error.name, error.code, error.message));
worker.on('exit', (code) => console.log(code, worker.resourceLimits));
