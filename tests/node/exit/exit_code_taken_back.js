// A listener of 'exit' sets process.exitCode to undefined: a program that just ends keeps its code, one that called exit() loses it.
'use strict';
const { spawnSync } = require('node:child_process');

const takesBack = "process.on('exit', () => { process.exitCode = undefined; });";
for (const end of ['process.exitCode = 3', 'process.exit(3)', 'throw 1', 'Promise.reject(1)']) {
  console.log(end, spawnSync(process.execPath, ['-e', `${takesBack} ${end}`]).status);
}
