'use strict';
// What the scripts of servers share: the load, which wrk makes in a process of its own, and the line that the
// runner reads. What counts is the processor time of the server: wrk may be the limit of the rest.
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const kWarmUpSeconds = 1;
const kSeconds = 2;

function runWrk({ url, connections, seconds, script }) {
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`];
  let folder;
  if (script) {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-bench-'));
    fs.writeFileSync(path.join(folder, 'load.lua'), script);
    args.push('-s', path.join(folder, 'load.lua'));
  }
  return new Promise((resolve, reject) => {
    const wrk = spawn('wrk', [...args, url], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    wrk.stdout.on('data', (chunk) => {
      output += chunk;
    });
    wrk.on('error', reject);
    wrk.on('close', () => {
      if (folder) fs.rmSync(folder, { recursive: true });
      const [, requests] = /(\d+) requests in/.exec(output) ?? [];
      if (/Non-2xx|Socket errors/.test(output) || !(requests > 0)) reject(new Error(`wrk: ${output}`));
      else resolve(Number(requests));
    });
  });
}

/// Warms the server up, loads it, prints the nanoseconds of one request, and ends the process. `script` is Lua.
exports.load = async function load(url, connections, script) {
  await runWrk({ url, connections, seconds: kWarmUpSeconds, script });
  const cpu = process.cpuUsage();
  const started = performance.now();
  const requests = await runWrk({ url, connections, seconds: kSeconds, script });
  const passed = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  console.log((passed * 1e6) / requests, ((user + system) * 1e3) / requests);
  process.exit(0);
};
