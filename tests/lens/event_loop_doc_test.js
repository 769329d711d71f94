'use strict';
// docs/event-loop.md quotes programs and what commands print. A quoted program is the file that it is said to be; a
// quoted command prints what is quoted, except times and what depends on them. Where one command is quoted more than
// once, either output is right.
//
//     rondo tests/lens/event_loop_doc_test.js --write    puts into the document what there is now

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');

const { root } = require('./explain.js');

const kDocument = path.join(root, 'docs/event-loop.md');
const kPrograms = path.join(root, 'examples/js/lens');

// ```js first.js and ```console, whose first line is a command.
const kBlock = /^```(js (?<file>\S+)|console\n\$ (?<command>.*))\n(?<text>[^]*?)^```$/gm;

function read(file) {
  return fs.readFileSync(path.join(kPrograms, file), 'utf8');
}

// As a reader would type it, with this rondo first in the path.
function run(command) {
  const { stdout } = spawnSync('/bin/sh', ['-c', `(${command}) 2>&1`], {
    cwd: kPrograms,
    env: { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env.PATH}` },
    encoding: 'utf8',
  });
  return stdout.replaceAll(kPrograms, '...');
}

function write() {
  const written = new Set();
  const text = fs.readFileSync(kDocument, 'utf8');
  fs.writeFileSync(kDocument, text.replace(kBlock, (block, head, ...rest) => {
    const { file, command } = rest.at(-1);
    return `\`\`\`${head}\n${file ? read(file) : runAnew(command, written)}\`\`\``;
  }));
}

const kRuns = 5;

// The quickest of a few runs: the one that other programs have disturbed least.
function runUndisturbed(command) {
  let quickest = { time: Infinity };
  for (let i = 0; i < kRuns; i++) {
    const begin = performance.now();
    const printed = run(command);
    const time = performance.now() - begin;
    if (time < quickest.time) quickest = { time, printed };
  }
  return quickest.printed;
}

// The output of a command that has not been seen of it yet.
function runAnew(command, seen) {
  for (let tries = 0; tries < 200; ++tries) {
    const printed = tries === 0 ? runUndisturbed(command) : run(command);
    const key = `${command}\n${normalise(printed)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    return printed;
  }
  throw new Error(`${command} prints always the same`);
}

const kPhase = ' {2}(?:main|timers|pending|poll|check|close)\n';

// What differs from one run to the next: times, and the width of their columns; ports; how many rounds it took until
// something was there, and whether the loop slept meanwhile; how often something that lasts is reported. What ran longest
// is in the order of times.
function normalise(text) {
  let phase;
  return text
    .replace(/^ {2}longest\n( {4}.*\n)*/gm, '')
    .replace(/^(iterations? [\d,-]+(: nothing was due)?| +asleep for .*)\n/gm, '')
    // A phase in which nothing ran, or that comes again with no other in between.
    .replace(new RegExp(`^${kPhase}(?=${kPhase}|\n)`, 'gm'), '')
    .replace(new RegExp(`^${kPhase}`, 'gm'), (line) => (line === phase ? '' : (phase = line)))
    // Not said of a timer that was overdue by far, as on a busy machine.
    .replace(/^ +either order: the 1 ms threshold had passed .*\n/gm, '')
    .replace(/ in \d+ iterations? and /g, ' in N iterations and ')
    .replace(/(?<!set\w+ )\b[\d.]+ (ns|\u00b5s|ms|s)\b/g, 'T')
    .replace(/\b\d+ %/g, 'P %')
    .replace(/\bjust due\b/g, 'due since T')
    .replace(/poll slept T for it|done when poll looked/g, 'poll')
    .replace(/:\d{4,5}\b/g, ':PORT')
    // Ends that were not seen to the millisecond.
    .replace(/ \d+ to T\b/g, ' T')
    // Where one of many ticks was, and how many there were.
    .replace(/^(\[blocked\] ticks .*): \d+ ticks(.*\n)( {4}at .*\n)*/gm, '$1$2')
    .replace(/(?<=kept waiting: )1 tick, /g, '')
    .replace(/^(\[blocked\] .*\n(?: .*\n)+)\1+/gm, '$1')
    .replace(/(?<=\S) {2,}/g, ' ');
}

// A busy machine holds a program up in other places as well, and --blocked reports those too: what is quoted has to be
// there line by line, in this order, but more may be.
function shows(printed, quoted, command) {
  if (!command.includes('--blocked')) return printed === quoted;
  const lines = printed.split('\n');
  let next = 0;
  return quoted.split('\n').every((line) => (next = lines.indexOf(line, next) + 1) > 0);
}

function check() {
  const blocks = [...fs.readFileSync(kDocument, 'utf8').matchAll(kBlock)].map(({ groups }) => groups);
  const programs = blocks.filter(({ file }) => file !== undefined);
  test('every program is quoted, and no other', () => {
    assert.deepStrictEqual(programs.map(({ file }) => file).sort(), fs.readdirSync(kPrograms).sort());
  });
  for (const { file, text } of programs) {
    test(`quotes ${file}`, () => assert.strictEqual(text, read(file)));
  }
  const outputs = new Map();
  for (const { command, text } of blocks) {
    if (command !== undefined) outputs.set(command, [...outputs.get(command) ?? [], normalise(text)]);
  }
  for (const [command, quoted] of outputs) {
    test(`quotes what is printed by: ${command}`, () => {
      const printed = normalise(run(command));
      if (quoted.some((text) => shows(printed, text, command))) return;
      // With one quotation the difference is shown line by line.
      if (quoted.length === 1) assert.strictEqual(printed, quoted[0]);
      assert.fail(`${printed}\nis none of\n${quoted.join('\n')}`);
    });
  }
}

if (process.argv[2] === '--write') write();
else check();
