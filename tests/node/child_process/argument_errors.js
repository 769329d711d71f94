// What the functions of node:child_process refuse, and how.
const { exec, execFile, execFileSync, execSync, fork, spawn, spawnSync } = require('node:child_process');
const attempt = (name, run) => {
  try {
    run();
    console.log(name, 'accepted');
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
for (const value of ['x', {}, -1, 1.5, NaN, true]) {
  attempt(`timeout ${value}`, () => spawnSync('nothing', { timeout: value }));
  attempt(`maxBuffer ${value}`, () => spawnSync('nothing', { maxBuffer: value }));
  attempt(`uid ${value}`, () => spawnSync('nothing', { uid: value === -1 ? 2 ** 40 : value }));
  attempt(`killSignal ${value}`, () => spawnSync('nothing', { killSignal: value }));
  attempt(`shell ${value}`, () => spawnSync('nothing', { shell: value === true ? 5 : value === 'x' ? 6 : value }));
}
for (const run of [exec, execFile, execFileSync, execSync, fork, spawn, spawnSync]) {
  attempt(`${run.name} file`, () => run('a\0b'));
  attempt(`${run.name} number`, () => run(5));
  attempt(`${run.name} env`, () => run('x', { env: { A: 'b\0c' } }));
  attempt(`${run.name} cwd`, () => run('x', { cwd: 'a\0b' }));
}
attempt('args', () => spawn('x', 5));
attempt('options', () => spawn('x', [], 5));
attempt('callback', () => execFile('x', [], {}, 5));
attempt('empty', () => spawn(''));
