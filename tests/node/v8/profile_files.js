// Profiles of whole programs, by options of the command line.
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'profiles-'));
const run = (...args) => spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
run('--cpu-prof', '--heap-prof', '-e', '0');
// Names are text of any kind.
run('--cpu-prof', '--cpu-prof-name', 'names', '-e', String.raw`const name = 'a"\\b';
const busy = { [name]() { for (const end = process.cpuUsage().user + 5e4; process.cpuUsage().user < end;) /^\d+\\"$/.test('1'.repeat(1e4)); } };
busy[name]();`);
run('--cpu-prof', '--cpu-prof-name', 'exit.cpuprofile', '-e', 'process.exit(3)');
run('--cpu-prof', '--cpu-prof-dir', 'deep/er', '--cpu-prof-name', 'thrown', '-e', 'throw 1');
run('--heap-prof', '--diagnostic-dir', 'there', '--heap-prof-name', 'mine', '--heap-prof-interval', '128', '-e', '0');
for (const name of fs.readdirSync(folder, { recursive: true }).sort()) {
  const file = path.join(folder, name);
  if (fs.statSync(file).isFile()) console.log(name.replace(/\d+/g, 'N'), Object.keys(JSON.parse(fs.readFileSync(file))).sort());
}
console.log(run('--cpu-prof-name', 'x', '-e', '0').status, run('--heap-prof-interval', '1', '-e', '0').status);
console.log(run('--heapsnapshot-signal', 'SIGNOPE', '-e', '0').status);
const { status, stdout } = run('--heapsnapshot-signal', 'SIGUSR2', '-p', 'process.listenerCount("SIGUSR2")');
console.log(status, stdout.trim());
fs.rmSync(folder, { recursive: true });
