'use strict';
// Runs random programs on Node 26 and on rondo, and compares what they print.
//
//   node compare.js SUBJECT.js --node=PATH --rondo=PATH [--seconds=60] [--seed=1] [--count=N] [--batch=40]
//
// SUBJECT.js takes two arguments, FIRST and COUNT, and runs the programs with the seeds FIRST to FIRST+COUNT-1, one
// after the other. Before each it prints the line `# seed N`. A batch runs in one process, because starting a process
// takes longer than most of the programs.
//
// Where the outputs of a seed differ, the seed is run alone. Where Node leaves an order open, its output varies from run
// to run: each output of rondo must then be one of those that Node printed.
//
// Ends with exit code 1 at the first seed that differs, and prints that seed, both outputs, and the command that
// repeats it. --seconds limits the time, --count the number of programs (for a repeatable run).

const { spawn } = require('node:child_process');
const { parseArgs } = require('node:util');

const kAloneRunsOfNode = 20;
const kAloneRunsOfRondo = 5;
const kTimeoutMs = 120_000;

const { values: options, positionals: [subject] } = parseArgs({
  allowPositionals: true,
  options: {
    node: { type: 'string' },
    rondo: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: 'Infinity' },
    batch: { type: 'string', default: '40' },
  },
});

// Resolves with what the runtime printed, standard error included, and how it ended.
function run(program, first, count) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [subject, String(first), String(count)], { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    let ended = '';
    const timer = setTimeout(() => {
      ended = `killed after ${kTimeoutMs} ms\n`;
      child.kill('SIGKILL');
    }, kTimeoutMs);
    child.stdout.setEncoding('utf8').on('data', (data) => { text += data; });
    child.stderr.setEncoding('utf8').on('data', (data) => { text += data; });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve(text + (ended || (code === 0 ? '' : `ended with ${signal ?? code}\n`)));
    });
  });
}

// What each seed printed. A process that ended early has no block for the seeds it did not reach.
function blocks(text) {
  const found = new Map();
  for (const block of text.split(/^(?=# seed \d+$)/m)) {
    const match = /^# seed (\d+)\n/.exec(block);
    if (match) found.set(Number(match[1]), block);
  }
  return found;
}

async function outputsAlone(program, seed, times) {
  const outputs = new Set();
  for (let i = 0; i < times; i++) outputs.add(await run(program, seed, 1));
  return outputs;
}

// Undefined if rondo printed only what Node prints too; else both outputs.
async function differenceAlone(seed) {
  const theirs = await outputsAlone(options.node, seed, 1);
  const ours = await outputsAlone(options.rondo, seed, kAloneRunsOfRondo);
  for (const output of ours) {
    if (theirs.has(output)) continue;
    for (const more of await outputsAlone(options.node, seed, kAloneRunsOfNode)) theirs.add(more);
    if (!theirs.has(output)) return { node: [...theirs], rondo: output };
  }
  return undefined;
}

function report(seed, difference) {
  console.log(`seed ${seed}: rondo differs from Node`);
  difference.node.forEach((output, i) => console.log(`---- node (${i + 1} of ${difference.node.length})\n${output}`));
  console.log(`---- rondo\n${difference.rondo}`);
  console.log(`repeat with: rondo ${subject} ${seed} 1`);
}

async function main() {
  const first = Number(options.seed);
  const end = first + Number(options.count);
  const deadline = Date.now() + Number(options.seconds) * 1000;
  let seed = first;
  let openOrders = 0;
  while (seed < end && Date.now() < deadline) {
    const count = Math.min(Number(options.batch), end - seed);
    const [node, rondo] = (await Promise.all([run(options.node, seed, count), run(options.rondo, seed, count)])).map(blocks);
    for (let i = seed; i < seed + count; i++) {
      if (node.get(i) !== undefined && node.get(i) === rondo.get(i)) continue;
      const difference = await differenceAlone(i);
      if (difference) {
        report(i, difference);
        process.exitCode = 1;
        return;
      }
      openOrders++;
    }
    seed += count;
  }
  console.log(`${seed - first} programs, seeds ${first} to ${seed - 1}: no difference (${openOrders} with an open order)`);
}

main();
