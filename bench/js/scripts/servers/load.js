'use strict';
// What the scripts of servers share: the load, which comes from a process of its own, and the line that the runner
// reads. What counts is the processor time of this process: the load may be the limit of the rest. On a machine with
// several cores this process has the last one, and the load the first.
const { execFileSync, spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const kWarmUpSeconds = 1;
const kSeconds = 2;
const kLastCore = os.availableParallelism() - 1;

/// Gives this process, with its threads, the last core.
exports.pin = function pin() {
  if (kLastCore > 0) execFileSync('taskset', ['-acp', String(kLastCore), String(process.pid)], { stdio: 'ignore' });
};

/// Starts a program on the first core.
exports.spawnOther = function spawnOther(program, args, options) {
  if (kLastCore === 0) return spawn(program, args, options);
  return spawn('taskset', ['-c', '0', program, ...args], options);
};

/// Starts a mode of rondo_bench_load, and resolves with what it prints first.
exports.generate = function generate(args) {
  const child = exports.spawnOther(process.env.RONDO_BENCH_LOAD, args.map(String),
    { stdio: ['pipe', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.stdout.once('data', (text) => resolve(String(text).trim()));
  });
};

/// Nanoseconds of this process, kernel and all threads, and those that have passed.
exports.clock = function clock() {
  const cpu = process.cpuUsage();
  const started = performance.now();
  return () => {
    const passed = performance.now() - started;
    const { user, system } = process.cpuUsage(cpu);
    return { passed: passed * 1e6, cpu: (user + system) * 1e3 };
  };
};

/// The line that the runner reads, of so many operations. Ends the process.
exports.finish = function finish({ passed, cpu }, operations) {
  console.log(passed / operations, cpu / operations);
  process.exit(0);
};

function runWrk({ url, connections, seconds, script }) {
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s'];
  let folder;
  if (script) {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-bench-'));
    fs.writeFileSync(path.join(folder, 'load.lua'), script);
    args.push('-s', path.join(folder, 'load.lua'));
  }
  return new Promise((resolve, reject) => {
    const wrk = exports.spawnOther('wrk', [...args, url], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    wrk.stdout.on('data', (chunk) => {
      output += chunk;
    });
    wrk.on('error', reject);
    wrk.on('close', () => {
      if (folder) fs.rmSync(folder, { recursive: true });
      const [, requests] = /(\d+) requests in/.exec(output) ?? [];
      if (/Non-2xx|Socket errors/.test(output) || !(requests > 0)) reject(new Error(`wrk: ${output}`));
      else resolve({ requests: Number(requests), rate: Number(/Requests\/sec: *([\d.]+)/.exec(output)[1]) });
    });
  });
}
exports.runWrk = runWrk;

/// Warms the server up, loads it, prints the nanoseconds of one request, and ends the process. `script` is Lua.
exports.load = async function load(url, connections, script) {
  exports.pin();
  await runWrk({ url, connections, seconds: kWarmUpSeconds, script });
  const stop = exports.clock();
  const { requests } = await runWrk({ url, connections, seconds: kSeconds, script });
  exports.finish(stop(), requests);
};
