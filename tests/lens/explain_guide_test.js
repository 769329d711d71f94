'use strict';
// `rondo explain` on every program of the guide (tests/node/guide): what it prints, line by line, and what SEMANTICS says
// of every program. guide/NAME.txt is the text, without what differs from run to run (times, ports, how many rounds the
// loop made while it waited); where Node leaves the order open, it has several, divided by a line "or".
//
//     RECORD=1 build/rondo tests/lens/explain_guide_test.js      # adds what was seen to these files: read it!

const assert = require('node:assert');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');

const folder = path.resolve(__dirname, '../node/guide');
const expectedFolder = path.join(__dirname, 'guide');
// No programs by themselves: other programs run them.
const kParts = ['fixtures/net_on_any_port.js', 'fixtures/connection_and_listening.js', 'fixtures/listen_then_listening.js'];
const scripts = [...fs.readdirSync(folder), ...fs.readdirSync(path.join(folder, 'fixtures')).map((name) => `fixtures/${name}`)]
  .filter((name) => name.endsWith('.js') && !kParts.includes(name));

// { status, stdout, stderr }; nothing of the caller's is seen.
function rondo(...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const result = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => result[name] += text);
    child.on('error', reject).on('close', (status) => resolve({ status, ...result }));
  });
}

// ---- The text --------------------------------------------------------------------------------------------------

const kTime = '(?:\\d+ µs|[\\d.]+ m?s|-)';
const kRun = new RegExp(`^(#\\d+(?:-\\d+)? .*?) +${kTime} +${kTime}(?:  (.*))?$`);

function normalWhy(why = '') {
  return why.replace(/^(done when poll looked|poll slept .* for it)$/, 'done')
    .replace(/^(just due|due since .*)$/, 'due');
}

// What lib/ does for its streams depends on how data arrive: shown only where the program hears of it.
const kStreams = new RegExp("^# (tick (emitReadable_|emitCloseNT|endReadableNT|endWritableNT|finish|resume_|" +
  "maybeReadMore_|afterWriteTick) |end of writing |'(end|data)' of )");

function isHeading(line) {
  return /^ {2}\S/.test(line) || line.endsWith(' the loop');
}

function normalLine(line) {
  return line.replace(kRun, (_, what, why) => `${what.replace(/ +/g, ' ')} (${normalWhy(why)})`)
    .replace(/(127\.0\.0\.1|\[::1?\]|localhost|[^ ]*…[^ ]*):\d{4,5} /g, '$1:<port> ')
    .replace(/#\d+(-\d+)?/g, '#')
    .replace(/\d+ms have passed/, '<t>ms have passed')
    .replace(/ \(\)$/, '');
}

function normal(text) {
  const all = text.slice(0, text.indexOf('\n\nsummary')).split('\n').map(normalLine)
    .filter((line) => !/^( {6}asleep for|iterations? )/.test(line));
  const told = all.filter((line, i) => !kStreams.test(line) || /^[│┆]/.test(all[i + 1] ?? ''));
  const lines = [];
  let heading = '';
  for (const line of told) {
    if (isHeading(line)) {
      heading = line;
      continue;
    }
    if (heading !== '' && heading !== lines.findLast(isHeading)) lines.push(heading);
    heading = '';
    lines.push(line);
  }
  return `${lines.join('\n')}\n`;
}

function expectedOf(name) {
  const file = path.join(expectedFolder, `${name.slice(0, -3).replace('/', '_')}.txt`);
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  return { file, texts: text === '' ? [] : text.split(/^or\n/m) };
}

const kMany = new Set(['tick_recursion_no_overflow.js', 'tick_starves_io.js']); // callbacks

async function checkText(name) {
  const { status, stdout } = await rondo('explain', ...(kMany.has(name) ? ['--limit=20'] : []), name);
  const seen = normal(stdout);
  const { file, texts } = expectedOf(name);
  if (process.env.RECORD && !texts.includes(seen)) fs.writeFileSync(file, [...texts, seen].join('or\n'));
  else if (!texts.includes(seen)) assert.strictEqual(seen, texts[0] ?? '', `${file} has ${texts.length} texts, and none is this`);
  return { status, stdout };
}

// ---- What holds for every program -------------------------------------------------------------------------------

const kPhases = ['timers', 'pending', 'idle', 'prepare', 'poll', 'check', 'close'];
const kFollowing = ['tick', 'promise', 'microtask'];

function isFollowing({ kind }) {
  return kFollowing.includes(kind);
}

function rankOf({ iteration, phase }) {
  const index = phase === 'main' ? (iteration === 0 ? 0 : kPhases.length) : kPhases.indexOf(phase);
  assert(index >= 0, phase);
  return iteration * 10 + index;
}

// The diagram: from phase to phase, round and round.
function checkPhases(runs) {
  for (let i = 1; i < runs.length; i++) {
    assert(rankOf(runs[i]) >= rankOf(runs[i - 1]), `${show(runs[i])} after ${show(runs[i - 1])}`);
  }
  for (const run of runs) {
    if (run.inside !== null) continue;
    if (run.kind === 'timeout' || run.kind === 'interval') {
      assert.strictEqual(run.phase, 'timers', show(run));
      // Milliseconds are whole ones, and the first may have begun before.
      assert(run.waited > (run.delay - 1) * 1000, show(run));
    }
    if (run.kind === 'immediate') assert.strictEqual(run.phase, 'check', show(run));
    if (run.kind === 'handle' && run.event === 'close') assert.strictEqual(run.phase, 'close', show(run));
  }
}

function checkCauses(runs) {
  const byId = new Map(runs.map((run) => [run.id, run]));
  for (const run of runs) {
    if (run.kind === 'main' || run.kind === 'beforeExit' || run.label === "'exit' of process") continue;
    const cause = byId.get(run.cause);
    assert(cause !== undefined && cause.id < run.id, show(run));
    if (run.made === undefined || run.kind === 'interval') continue;
    assert(cause.begin <= run.made && run.made <= cause.end, `${show(run)} was not made by ${show(cause)}`);
  }
}

// Ticks, then promises and microtasks, and only then anything else. What an exception has put off is another matter.
function checkFollowing(runs) {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const isOfMicrotask = (run) => ['promise', 'microtask'].includes(byId.get(run.cause)?.kind);
  const waiting = runs.filter((run) => run.kind === 'tick' || run.kind === 'microtask');
  for (const run of runs) {
    if (run.kind === 'tick' || run.inside !== null) continue;
    for (const other of waiting) {
      if (other.id <= run.id || other.made >= run.begin) continue;
      if (!isFollowing(run)) assert.fail(`${show(run)} before ${show(other)}`);
      // Ticks of microtasks wait for the other microtasks.
      assert(other.kind === 'microtask' || isOfMicrotask(other), `${show(run)} before ${show(other)}`);
    }
  }
  let operation = null;
  for (const run of runs) {
    if (isFollowing(run)) assert.strictEqual(run.after, operation, show(run));
    else if (run.inside === null) operation = run.id;
  }
}

// Immediates that wait run in one visit, in order; those made there run in the next.
function checkImmediates(runs) {
  const immediates = runs.filter(({ kind }) => kind === 'immediate');
  for (let i = 1; i < immediates.length; i++) assert(immediates[i].made >= immediates[i - 1].made, show(immediates[i]));
  for (const run of immediates) {
    const cause = runs.find(({ id }) => id === run.cause);
    if (cause?.phase === 'check') assert(run.iteration > cause.iteration, show(run));
    if (cause?.phase === 'poll') assert.strictEqual(run.iteration, cause.iteration, show(run));
  }
}

function show({ id, iteration, phase, label, made, begin, cause }) {
  return `#${id} ${label} (${phase} ${iteration}, made ${made} by #${cause}, begun ${begin})`;
}

function outputOf({ output }, stream) {
  return output.filter((entry) => entry.stream === stream).map(({ text }) => text).join('');
}

function withoutTimes(text) {
  return text.replace(/\d+ms have passed/, '<t>ms have passed');
}

// Half a million callbacks: once is enough.
const kLong = new Set(['tick_recursion_no_overflow.js']);

// What an exception has put off runs after the next operation.
const kHasException = new Set(['error_handled_before_loop_continues.js']);

// These measure time, and a busy machine can spoil that.
const kTimed = new Set(['long_callback_holds_poll.js', 'poll_waits_for_timer.js', 'read_95ms_timer_100ms.js',
  'threshold_not_exact_time.js', 'timer_delayed_by_read.js', 'fixtures/timer_delayed_by_read.js']);

async function check(name) {
  if (kLong.has(name)) {
    const { status, stdout } = await checkText(name);
    assert.strictEqual(status, 0);
    assert.match(stdout, /500,000 callbacks in \d iteration/);
    return;
  }
  const [plain, { status, stdout }, text] =
    await Promise.all([rondo(name), rondo('explain', '--json', name), checkText(name)]);
  const document = JSON.parse(stdout);
  const isOpen = name === 'fixtures/timeout_vs_immediate.js';

  assert.deepStrictEqual([status, text.status], [plain.status, plain.status]);
  const sorted = (lines) => (isOpen ? lines.split('\n').sort().join('\n') : withoutTimes(lines));
  assert.strictEqual(sorted(outputOf(document, 'stdout')), sorted(plain.stdout));
  assert.strictEqual(sorted(outputOf(document, 'stderr')), sorted(plain.stderr));

  const { runs } = document;
  checkPhases(runs);
  checkCauses(runs);
  checkImmediates(runs);
  if (!kHasException.has(name)) checkFollowing(runs);
}

for (const name of scripts) {
  test(name, async () => {
    for (let left = kTimed.has(name) ? 3 : 1; left > 0; left--) {
      try {
        return await check(name);
      } catch (error) {
        if (left === 1) throw error;
      }
    }
  });
}

// ---- What is open, and what is not ------------------------------------------------------------------------------

async function explained(name) {
  return JSON.parse((await rondo('explain', '--json', name)).stdout);
}

test('where the order is open, it is said', async () => {
  const { runs, notes } = await explained('fixtures/timeout_vs_immediate.js');
  const timer = runs.find(({ kind }) => kind === 'timeout');
  const immediate = runs.find(({ kind }) => kind === 'immediate');
  const isTimerFirst = timer.id < immediate.id;
  // A machine that is as slow as this has decided it.
  if (isTimerFirst && timer.waited > 4_000) return;
  assert.deepStrictEqual(notes, [{
    run: isTimerFirst ? timer.id : immediate.id,
    text: isTimerFirst ? 'either order: the 1 ms threshold had passed at the first look, before the immediate' :
      'either order: the 1 ms threshold had not passed at the first look, before this',
  }]);
});

test('where it is not, nothing is said', async () => {
  const { runs, notes } = await explained('timeout_vs_immediate_io.js');
  assert.deepStrictEqual(notes, []);
  const immediate = runs.find(({ kind }) => kind === 'immediate');
  assert(runs.find(({ kind }) => kind === 'timeout').id > immediate.id);
  assert.strictEqual(immediate.why, 'check comes before timers');
});
