'use strict';
// What the lens adds to each callback, in nanoseconds of the program's own CPU time:
//
//     build/rondo bench/lens/callbacks.js [RUNS [SCRIPT ...]]
//
// Each script is run without and with the option, alternating. The differences are those of the least and, in
// brackets, of the medians.

const { spawnSync } = require('child_process');
const { mkdtempSync, rmSync } = require('fs');
const { tmpdir } = require('os');
const { basename, join, resolve } = require('path');

const kScripts = [
  '../js/scripts/timeout_same.js', '../js/scripts/immediate_batch.js', '../js/scripts/immediate_chain.js',
  '../js/scripts/next_tick_batch.js', '../js/scripts/next_tick_chain.js', '../js/scripts/microtask_batch.js',
  '../js/scripts/await_chain.js', 'then_chain.js', 'await_many.js', 'stat.js',
].map((name) => resolve(__dirname, name));

const folder = mkdtempSync(join(tmpdir(), 'rondo-lens-'));
const trace = join(folder, 'trace.json');
const kOptions = [
  [], // first: what the others are compared with
  [`--trace-loop=${trace}`, '--trace-loop-limit=8G'], // all of it: without the trace it would be cheaper
  ['--blocked=1000'],
];

const [runs = 9, ...chosen] = process.argv.slice(2);

// The scripts print the nanoseconds of one operation: those that passed, and those of the processor.
function measure(options, script) {
  rmSync(trace, { force: true }); // to empty a file takes time as well
  const { status, stdout, stderr } = spawnSync(process.execPath, [...options, script], { encoding: 'utf8' });
  if (status !== 0 || stderr !== '') throw new Error(`${script} ${options.join(' ')}: ${stderr || `exit code ${status}`}`);
  return Number(stdout.split(' ')[1]);
}

function measureAll(script) {
  const times = kOptions.map(() => []);
  for (let i = 0; i < runs; i++) kOptions.forEach((options, k) => times[k].push(measure(options, script)));
  return times.map((each) => {
    each.sort((a, b) => a - b);
    return { least: each[0], median: each[each.length >> 1] };
  });
}

const columns = (cells) => console.log(cells[0].padEnd(20) + cells.slice(1).map((cell) => cell.padStart(16)).join(''));

columns(['', 'without', '--trace-loop', '--blocked']);
try {
  for (const name of chosen.length > 0 ? chosen : kScripts) {
    const [without, ...others] = measureAll(name);
    const shown = (a) => `${Math.round(a.least)} (${Math.round(a.median)})`;
    const difference = (a) => ({ least: a.least - without.least, median: a.median - without.median });
    columns([basename(name, '.js'), shown(without), ...others.map((other) => shown(difference(other)))]);
  }
} finally {
  rmSync(folder, { recursive: true });
}
