// The time limit of spawnSync() may be longer than that of a timer.
'use strict';
const { spawnSync } = require('node:child_process');

for (const timeout of [2 ** 31 - 1, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
  const { status, error, stdout } = spawnSync('echo', ['hello'], { timeout, encoding: 'utf8' });
  console.log(timeout, status, error, stdout);
}
