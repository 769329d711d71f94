'use strict';
// For -e and -p, `crypto` is the module; elsewhere it is the global.
const { spawnSync } = require('child_process');

function run(...options) {
  const { status, stdout, stderr } = spawnSync(process.execPath, options, { encoding: 'utf8' });
  console.log(options.join(' '), status);
  console.log(stdout.trim());
  console.log(stderr.split('\n').find((line) => line.includes('Error')) ?? '');
}

run('-p', '[crypto === require("crypto"), crypto === globalThis.crypto]');
run('-e', 'console.log(typeof crypto.createHash, typeof globalThis.crypto.subtle)');
run('--input-type=module', '-e', 'console.log(typeof crypto.createHash)');
run('-e', 'import fs from "fs"; console.log(typeof crypto.createHash)');
run('-e', 'crypto = 5; console.log(crypto)');
run('-p', 'let crypto = 6; crypto');
