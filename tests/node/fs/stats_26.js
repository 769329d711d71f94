// rondo-test: scratch option=--no-deprecation
'use strict';
// Stats: dates and instants are made when asked for; what fs no longer has.
const fs = require('fs');

fs.writeFileSync('file', '');
fs.utimesSync('file', 1.5, 2.25);
for (const bigint of [false, true]) {
  const stats = fs.statSync('file', { bigint });
  console.log(Object.keys(stats), stats.mtimeMs, stats.mtime, String(stats.mtimeInstant), Object.keys(stats).slice(-2));
  stats.atime = 'mine';
  console.log(stats.atime, Object.keys(stats).at(-1));
}
console.log(Object.keys(fs.statfsSync('.')));
console.log(fs.F_OK, 'open' in fs.ReadStream.prototype, Object.keys(fs.readdirSync('.', { withFileTypes: true })[0]));
for (const attempt of [() => fs.rmdirSync('x', { recursive: true }), () => fs.rmdir('x', { recursive: false }, () => {}),
  () => fs.accessSync('.', 9), () => fs.accessSync('.', 'x'), () => fs.copyFileSync('a', 'b', 1.5), () => fs.rmSync('x', { force: 1 })]) {
  try {
    attempt();
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
fs.promises.rmdir('x', { recursive: true }).catch((error) => console.log(error.code));
console.log(fs.existsSync({}), fs.existsSync('file'));
