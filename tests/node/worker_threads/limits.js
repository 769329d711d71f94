// resourceLimits: what a Worker is given, sees and has at its end; a heap that is full ends it.
const { Worker, resourceLimits } = require('node:worker_threads');
console.log(resourceLimits);
const worker = new Worker(`
  const { resourceLimits, parentPort } = require('node:worker_threads');
  parentPort.postMessage(resourceLimits);
  parentPort.once('message', () => {
    const kept = [];
    for (;;) kept.push([kept]);
  });
`, {
  eval: true,
  resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4, codeRangeSizeMb: 16, stackSizeMb: 1 },
});
console.log(worker.resourceLimits);
worker.on('message', (limits) => {
  console.log(limits);
  worker.postMessage('fill it');
});
worker.on('error', (error) => console.log(error.name, error.code, error.message));
worker.on('exit', (code) => console.log(code, worker.resourceLimits));
