// rondo-test: scratch option=--no-warnings
'use strict';
// v8.setHeapProfileNearHeapLimit(): the profile of allocations that is running is written before a thread runs out of memory.
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const v8 = require('node:v8');
const { Worker, isMainThread, workerData } = require('node:worker_threads');

const withoutNumbers = (text) => text.replace(/\d+\.\d+\.\d+\.\d+\.\d+/, 'N');

function listFunctions(node, found = new Set()) {
  found.add(node.callFrame.functionName);
  for (const child of node.children) listFunctions(child, found);
  return found;
}

if (isMainThread && process.argv[2] !== 'child') {
  const { stderr } = spawnSync(process.execPath, ['--no-warnings', __filename, 'child'], { stdio: ['ignore', 'inherit', 'pipe'] });
  console.log(withoutNumbers(`${stderr}`.replace(process.cwd(), '.')));
} else if (isMainThread) {
  for (const limit of [undefined, 0, -1, 1.5, '1', 2 ** 32]) {
    try {
      v8.setHeapProfileNearHeapLimit(limit);
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }
  const run = (profiles, next) => {
    const worker = new Worker(__filename, { workerData: profiles, resourceLimits: { maxOldGenerationSizeMb: 10 } });
    worker.on('error', (error) => console.log(error.code));
    worker.on('exit', (code) => {
      const files = fs.readdirSync('.');
      console.log(code, files.map(withoutNumbers));
      for (const name of files) {
        const profile = JSON.parse(fs.readFileSync(name));
        console.log((fs.statSync(name).mode & 0o777).toString(8), Object.keys(profile), profile.samples.length > 0,
          listFunctions(profile.head).has('growThePile'));
      }
      next?.();
    });
  };
  run(false, () => run(true));
} else {
  if (workerData) v8.startHeapProfile({ sampleInterval: 1024 });
  v8.setHeapProfileNearHeapLimit(1);
  v8.setHeapProfileNearHeapLimit(5);
  const kept = [];
  setInterval(function growThePile() {
    for (let i = 0; i < 20; i++) kept.push(Array(10_000).fill(kept.length + 0.5));
  }, 0);
}
