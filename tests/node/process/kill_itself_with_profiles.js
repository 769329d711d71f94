// rondo-test: scratch
'use strict';
// A program that ends itself by a signal writes its profiles and its coverage first.
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');

fs.writeFileSync('program.js', `
const [signal, listens] = process.argv.slice(2);
function work() { for (let i = 0; i < 1e5; i++) Math.sqrt(i); }
work();
if (listens) process.on(signal, () => {});
process.kill(listens === 'group' ? 0 : process.pid, signal);
setInterval(() => {}, 1000);
setTimeout(() => process.exit(3), 50);
`);
for (const [signal, listens] of [['SIGINT'], ['SIGTERM'], ['SIGINT', 'yes'], ['SIGWINCH'], ['SIGKILL']]) {
  const { status, signal: ended, stderr } = spawnSync(process.execPath, ['--cpu-prof', '--cpu-prof-dir=cpu', 'program.js', signal, listens ?? ''],
    { encoding: 'utf8', env: { ...process.env, NODE_V8_COVERAGE: 'coverage' } });
  const found = ['cpu', 'coverage'].map((folder) => (fs.existsSync(folder) ? fs.readdirSync(folder).length > 0 : 'none'));
  console.log(signal, listens, status, ended, stderr, found);
  for (const folder of ['cpu', 'coverage']) fs.rmSync(folder, { recursive: true, force: true });
}
