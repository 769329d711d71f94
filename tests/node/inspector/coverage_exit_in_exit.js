// rondo-test: scratch
// Coverage is written also if a listener of 'exit' calls process.exit(), as test runners do.
'use strict';
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');

fs.writeFileSync('child.js', "process.on('exit', () => process.exit(3));\n");
const { status } = spawnSync(process.execPath, ['child.js'], { env: { ...process.env, NODE_V8_COVERAGE: 'coverage' } });
const [file] = fs.readdirSync('coverage');
const { result } = JSON.parse(fs.readFileSync(`coverage/${file}`, 'utf8'));
console.log(status, result.some(({ url }) => url.endsWith('/child.js')));
