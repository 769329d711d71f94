// rondo-test: scratch
// Profiles of a Worker have samples of its functions: --cpu-prof, and v8.startCpuProfile() in the Worker.
const { spawnSync } = require('child_process');
const fs = require('fs');

fs.writeFileSync('busy.js', `
  const v8 = require('v8');
  function busy(ms) { // of the processor, which others may use too
    let sum = 0;
    while (process.threadCpuUsage().user < ms * 1000) for (let i = 0; i < 1e4; i++) sum += Math.sqrt(sum + i);
    return sum;
  }
  const profile = process.env.BY_API ? v8.startCpuProfile() : undefined;
  busy(400);
  if (profile) require('fs').writeFileSync('by_api.cpuprofile', profile.stop());
`);
fs.writeFileSync('main.js', 'new (require("worker_threads").Worker)("./busy.js")');

function hasSamplesOf(file, name) {
  const { nodes, samples } = JSON.parse(fs.readFileSync(file, 'utf8'));
  const ids = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === name).map(({ id }) => id));
  return samples.filter((id) => ids.has(id)).length > 0;
}
const profiles = () => fs.readdirSync('.').filter((name) => name.endsWith('.cpuprofile'));

const run = (args, env) => spawnSync(process.execPath, [...args, 'main.js'], { env: { ...process.env, ...env } }).status;
console.log(run(['--cpu-prof', '--cpu-prof-interval=500']), profiles().length,
  profiles().filter((file) => hasSamplesOf(file, 'busy')).length);
console.log(run([], { BY_API: '1' }), hasSamplesOf('by_api.cpuprofile', 'busy'));
