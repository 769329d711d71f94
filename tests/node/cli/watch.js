// rondo-test: scratch
// --watch runs the program again when a file of it changes, appears or is replaced.
const { spawn, spawnSync } = require('child_process');
const fs = require('fs');
const { setTimeout: wait } = require('timers/promises');

async function follow(args, changes) {
  const child = spawn(process.execPath, [...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (text) => { output += text; });
  child.stderr.resume();
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve([code, signal])));
  for (const change of [...changes, undefined]) {
    while (output.split('restarting...').length - 1 <= seen) await wait(10);
    seen++;
    await wait(100);
    change?.();
  }
  child.kill();
  console.log(output.replaceAll(fs.realpathSync('.'), '<folder>'));
  console.log(await ended);
}

(async () => {
  fs.writeFileSync('a.js', "console.log('run', require('./dep'), process.argv.slice(2), process.execArgv);");
  fs.writeFileSync('dep.js', 'module.exports = 1;');
  fs.writeFileSync('m.mjs', "import { x } from './n.mjs'; console.log(x, process.env.FROM_FILE);");
  fs.writeFileSync('n.mjs', 'export const x = 1;');
  fs.writeFileSync('.env', 'FROM_FILE=1');
  await follow(['--watch', '--no-warnings', 'a.js', 'x'], [
    () => fs.writeFileSync('dep.js', 'module.exports = 2;'),
    () => fs.writeFileSync('a.js', 'throw 1'),
  ]);
  await follow(['--watch', '--env-file=.env', 'm.mjs'], [
    () => fs.writeFileSync('n.mjs', 'export const x = 2;'),
    () => fs.writeFileSync('.env', 'FROM_FILE=2'),
  ]);
  for (const args of [['-e', '1'], ['-c', 'a.js'], ['-i'], ['--test-force-exit', 'a.js']]) {
    const { status, stderr } = spawnSync(process.execPath, ['--watch', ...args], { encoding: 'utf8' });
    console.log(status, stderr.replace(process.execPath, 'node'));
  }
})();
