// rondo-test: scratch
// Snapshots are written with --test-update-snapshots, and compared without.
const fs = require('fs');
const { spawnSync } = require('child_process');
fs.writeFileSync('s.js', "require('node:test').test('snap', (t) => { t.assert.snapshot({ a: process.argv[2] ?? 1, b: '`${x}`' }); });");
const go = (...args) => console.log(spawnSync(process.execPath, args, { encoding: 'utf8' }).status);
go('s.js');
go('--test-update-snapshots', 's.js');
console.log(fs.readFileSync('s.js.snapshot', 'utf8'));
go('s.js');
go('s.js', 'other');
