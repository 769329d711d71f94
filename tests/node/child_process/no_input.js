// A child without input may end before its input is closed: that is not an error. Whether it does is a matter of speed, so
// there are many of them.
'use strict';
const { execFileSync, spawnSync } = require('child_process');

for (let i = 0; i < 50; i++) {
  const { error, status } = spawnSync('true');
  if (error || status !== 0) console.log(i, error, status);
  const empty = spawnSync('true', { input: Buffer.alloc(0) });
  if (empty.error || empty.status !== 0) console.log(i, empty.error, empty.status);
  execFileSync('true');
}
console.log('done');
