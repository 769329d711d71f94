// rondo-test: scratch option=--no-warnings
'use strict';
// v8.setHeapSnapshotNearHeapLimit(): a snapshot of the heap before a thread runs out of memory, which only its owner can read.
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const v8 = require('node:v8');
const { Worker, isMainThread } = require('node:worker_threads');

const withoutNumbers = (text) => text.replace(/\d+\.\d+\.\d+\.\d+\.\d+/, 'N');

if (isMainThread && process.argv[2] !== 'child') {
  const { stderr } = spawnSync(process.execPath, ['--no-warnings', __filename, 'child'], { stdio: ['ignore', 'inherit', 'pipe'] });
  console.log(withoutNumbers(`${stderr}`.replace(process.cwd(), '.')));
} else if (isMainThread) {
  for (const limit of [undefined, 0, -1, 1.5, '1', 2 ** 32]) {
    try {
      v8.setHeapSnapshotNearHeapLimit(limit);
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }
  const worker = new Worker(__filename, { resourceLimits: { maxOldGenerationSizeMb: 10 } });
  worker.on('error', (error) => console.log(error.code));
  worker.on('exit', (code) => {
    const files = fs.readdirSync('.');
    console.log(code, files.map(withoutNumbers));
    for (const name of files) {
      const text = fs.readFileSync(name, 'latin1');
      console.log((fs.statSync(name).mode & 0o777).toString(8), text.startsWith('{"snapshot":{"meta":'), text.trimEnd().endsWith('}'));
    }
  });
} else {
  v8.setHeapSnapshotNearHeapLimit(1);
  v8.setHeapSnapshotNearHeapLimit(5);
  // Arrays of numbers: the snapshot has few objects.
  const kept = [];
  setInterval(() => {
    for (let i = 0; i < 20; i++) kept.push(Array(10_000).fill(kept.length + 0.5));
  }, 0);
}
