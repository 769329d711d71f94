// Arguments with a shell are concatenated, with a warning once.
const { spawnSync, execFileSync } = require('node:child_process');
console.log(spawnSync('echo', ['a', '$((1 + 1))'], { shell: true }).stdout.toString());
console.log(execFileSync('echo', ['b;', 'echo', 'c'], { shell: true, encoding: 'utf8' }));
console.log(spawnSync('echo d', { shell: '/bin/sh', encoding: 'utf8' }).stdout);
process.on('warning', ({ name, code }) => console.log(name, code));
