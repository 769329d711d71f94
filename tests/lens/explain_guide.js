'use strict';
// `rondo explain` on one program of the guide, which is an argument (tests/node/guide/NAME): everything it prints, line
// by line, as text and as JSON, against what docs/semantics.md says must have happened: guide/stories.js.

const assert = require('node:assert');
const { spawn } = require('node:child_process');
const path = require('node:path');

const { compare } = require('./guide/story.js');
const stories = require('./guide/stories.js');

const folder = path.resolve(__dirname, '../node/guide');
const [, , name] = process.argv;
const story = stories[name];

// Of these only the first callbacks are listed.
const kLimits = { 'tick_recursion_no_overflow.js': 20, 'tick_starves_io.js': 20 };

// { status, stdout, stderr }; nothing of the caller's is seen, and nothing is cut.
function rondo(...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, COLUMNS: '400' },
    });
    const result = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => result[name] += text);
    child.on('error', reject).on('close', (status) => resolve({ status, ...result }));
  });
}

function explain(...options) {
  return rondo('explain', ...(name in kLimits ? [`--limit=${kLimits[name]}`] : []), ...options, name);
}

// ---- What is printed -------------------------------------------------------------------------------------------

// What lib/ does for its streams depends on how data arrive: it counts only where the program hears of it.
const kPlumbing = new RegExp("^(tick (emitReadable_|emitCloseNT|endReadableNT|endWritableNT|finish|resume_|" +
  "maybeReadMore_|afterWriteTick)|end of writing.*|'(end|data)' of socket)$");

// Without what differs from run to run: addresses; and in text without the error, the function and the cause.
function plainLabel(label) {
  return label.replace(/(: E[A-Z]+)?(, \S+\(\))?( ← #\d+)?$/, '').replace(/ (\[[\da-f:]+\]|[\d.]+):\d+$/, '').replaceAll(name, '$');
}

function withoutPlumbing(seen) {
  return seen.filter(({ label, printed }) => printed.length > 0 || !kPlumbing.test(label));
}

function fromJson({ runs, output }) {
  const seen = runs.map((run) => ({ phase: run.phase, label: plainLabel(run.label), line: run.site?.line ?? null, text: '' }));
  const byId = new Map(runs.map((run, i) => [run.id, seen[i]]));
  for (const { run, text } of output) (byId.get(run) ?? seen.at(-1)).text += text;
  return seen.map(({ text, ...rest }) => ({ ...rest, printed: text === '' ? [] : text.replace(/\n$/, '').split('\n') }));
}

const kTime = '(?:\\d+ µs|[\\d.]+ m?s|-)';
const kRun = new RegExp(`^#(\\d+) +(.*?) +(?:\\S+:(\\d+) +)?${kTime} +${kTime}(?:  (.*))?$`);
const kOther = /^( {6}asleep for .*|iterations? .*: nothing (was due|to list)|\.\.\. from here on .*|)$/;

// Every line is one that is understood.
function fromText(text) {
  const seen = [];
  let phase;
  let last;
  for (const line of text.slice(0, text.indexOf('\n\nsummary')).split('\n')) {
    const run = kRun.exec(line);
    if (run !== null) {
      last = { phase, id: Number(run[1]), label: plainLabel(run[2]), line: run[3] ? Number(run[3]) : null, why: run[4], printed: [], notes: [] };
      seen.push(last);
    } else if (line.startsWith('│ ')) {
      last.printed.push(line.slice(2));
    } else if (/^ {8,}either order: /.test(line)) {
      last.notes.push(line.trim());
    } else if (/^ {2}\w+$/.test(line)) {
      phase = line.trim();
    } else if (line === 'before the loop' || line === 'outside the loop') {
      phase = 'main';
    } else {
      assert(/^iteration [\d,]+$/.test(line) || kOther.test(line), `a line that says nothing: ${line}`);
    }
  }
  return seen;
}

// Why each of them ran when it did.
const kWhys = {
  main: /^$/,
  timers: /^(just due|due since .*)$/,
  pending: /^put off from the iteration before$/,
  poll: /^(done when poll looked|poll slept .* for it)$/,
  check: /^(check follows poll|check comes before timers)$/,
  close: /^close comes last$/,
};

function checkWhys(seen) {
  let operation = null; // what ticks and microtasks follow
  for (const { id, phase, label, why = '' } of seen) {
    if (label.startsWith('tick')) {
      assert.strictEqual(why, `after #${operation}, before anything else`, label);
    } else if (/^(promise|await|microtask)/.test(label)) {
      assert.strictEqual(why, `after #${operation} and its ticks`, label);
    } else {
      assert.match(why, kWhys[phase], label);
      operation = id;
    }
  }
}

// ---- What holds for every program ------------------------------------------------------------------------------

const kPhases = ['timers', 'pending', 'idle', 'prepare', 'poll', 'check', 'close'];
const kFollowing = ['tick', 'promise', 'microtask'];
const isFollowing = ({ kind }) => kFollowing.includes(kind);
const isTimer = ({ kind, phase }) => kind === 'timeout' && phase === 'timers';

function show({ id, iteration, phase, label, made, begin, cause }) {
  return `#${id} ${label} (${phase} ${iteration}, made ${made} by #${cause}, begun ${begin})`;
}

function rankOf({ iteration, phase }) {
  const index = phase === 'main' ? (iteration === 0 ? 0 : kPhases.length) : kPhases.indexOf(phase);
  assert(index >= 0, phase);
  return iteration * 10 + index;
}

// 2: from phase to phase, round and round.
function checkPhases(runs) {
  for (let i = 1; i < runs.length; i++) {
    assert(rankOf(runs[i]) >= rankOf(runs[i - 1]), `${show(runs[i])} after ${show(runs[i - 1])}`);
  }
  for (const run of runs) {
    if (run.inside !== null) continue;
    if (run.kind === 'timeout') assert.strictEqual(run.phase, 'timers', show(run));
    if (run.kind === 'immediate') assert.strictEqual(run.phase, 'check', show(run));
    if (run.kind === 'handle' && run.event === 'close') assert.strictEqual(run.phase, 'close', show(run));
  }
}

const dueOf = ({ made, delay }) => made + delay * 1000;

// 3 timers: not before the threshold; those of one duration in order; lists by the expiry of their first. Milliseconds
// are whole ones: a time of day is up to one later than it counts as.
function checkTimers(runs) {
  const timers = runs.filter(isTimer);
  for (const run of timers) assert(run.begin > dueOf(run) - 1000, show(run));
  for (const [i, run] of timers.entries()) {
    const before = timers.slice(0, i);
    const sameList = before.findLast?.((other) => other.delay === run.delay) ??
      before.filter((other) => other.delay === run.delay).at(-1);
    if (sameList) {
      assert(sameList.made <= run.made, `${show(run)} after ${show(sameList)}`);
      continue;
    }
    for (const other of before) {
      const isFirst = !before.some((one) => one.delay === other.delay && one.id < other.id);
      if (isFirst && other.begin > run.made) assert(dueOf(other) < dueOf(run) + 1000, `${show(run)} after ${show(other)}`);
    }
  }
}

// A callback never before its cause, and made while that ran.
function checkCauses(runs) {
  const byId = new Map(runs.map((run) => [run.id, run]));
  for (const run of runs) {
    if (run.kind === 'main' || run.kind === 'beforeExit' || run.label === "'exit' of process") continue;
    const cause = byId.get(run.cause);
    assert(cause !== undefined && cause.id < run.id, show(run));
    assert.strictEqual(run.depth, cause.depth + 1, show(run));
    if (run.made !== undefined) {
      assert(cause.begin <= run.made && run.made <= cause.end, `${show(run)} was not made by ${show(cause)}`);
    }
  }
}

// 4: ticks, then promises and microtasks, and only then anything else.
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

// 3 check: immediates that wait run in one visit, in order; those made there run in the next.
function checkImmediates(runs) {
  const immediates = runs.filter(({ kind }) => kind === 'immediate');
  for (let i = 1; i < immediates.length; i++) assert(immediates[i].made >= immediates[i - 1].made, show(immediates[i]));
  for (const run of immediates) {
    const cause = runs.find(({ id }) => id === run.cause);
    if (cause?.phase === 'check') assert.strictEqual(run.iteration, cause.iteration + 1, show(run));
    if (cause?.phase === 'poll' || cause?.phase === 'timers') assert.strictEqual(run.iteration, cause.iteration, show(run));
  }
}

// ---- Where the order is open -----------------------------------------------------------------------------------

const kOpenFor = 5000; // µs: what a machine may need more the next time

// "Inside an I/O callback, an immediate always runs before any timer"; what the main program and immediates set is
// looked for in the timers phase first.
function looksAtTimersFirst(cause) {
  return cause.phase === 'main' || cause.phase === 'check' || cause.phase === 'close';
}

function isOperation(run) {
  return run.kind === 'request' && !run.step && run.site !== null && !['WRITEWRAP', 'SHUTDOWNWRAP'].includes(run.type);
}

// What has to be remarked on, by what is known of the callbacks: id -> regular expression.
function expectedNotes(runs) {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const notes = new Map();
  const note = (run, text) => {
    if (!notes.has(run.id)) notes.set(run.id, text);
  };
  const askedBy = (run) => {
    let cause = byId.get(run.cause);
    while (cause?.step) cause = byId.get(cause.cause);
    // Ticks and promises are parts of what they follow.
    return cause && isFollowing(cause) ? cause.after ?? cause.id : cause?.id;
  };
  // A timer of 1 ms and an immediate that were there when the timers were looked at.
  const noted = new Set(); // looks
  for (const run of runs) {
    const isImmediate = run.kind === 'immediate';
    if (!isImmediate && !(isTimer(run) && run.delay === 1)) continue;
    if (noted.has(run.iteration)) continue;
    const others = runs.filter((other) => other.id > run.id &&
      (isImmediate ? isTimer(other) && other.delay === 1 : other.kind === 'immediate'));
    // Made before the timers phase of this iteration.
    const isOlder = ({ cause, made }) => {
      const maker = byId.get(cause);
      return made < run.begin && (maker.iteration < run.iteration ? true : false);
    };
    if (!isOlder(run) || !others.some(isOlder)) continue;
    if (isImmediate && !looksAtTimersFirst(byId.get(run.cause))) continue;
    if (!isImmediate && run.begin - run.made >= kOpenFor) continue;
    noted.add(run.iteration);
    note(run, isImmediate ? /^either order: the 1 ms threshold had not passed at the first look, before this$/ :
      /^either order: the 1 ms threshold had passed at the first look, before the immediate$/);
  }
  // Timers of different durations that are due at once; a timer and an operation that were started at once.
  let timer;
  let operation;
  const races = (run, due, other, otherDue) =>
    other !== undefined && askedBy(other) === askedBy(run) && Math.abs(due - otherDue) < kOpenFor;
  const race = (other) => new RegExp(`^either order: #${other.id} and this were ready within `);
  for (const run of runs) {
    if (isTimer(run)) {
      if (timer && timer.delay !== run.delay && run.made < timer.begin && Math.abs(dueOf(run) - dueOf(timer)) < 1000) {
        note(run, new RegExp(`^either order: #${timer.id} and this were due within the same millisecond$`));
      }
      if (races(run, dueOf(run), operation, operation?.begin)) note(run, race(operation));
      timer = run;
    } else if (isOperation(run)) {
      if (races(run, run.begin, timer, timer && dueOf(timer))) note(run, race(timer));
      operation = run;
    }
  }
  // An immediate and an operation without steps that one callback has started.
  const isSingle = (run) => isOperation(run) && /^(FSREQ|GET)/.test(run.type) &&
    (!byId.get(run.cause)?.step || /^readFile /.test(run.label));
  const answered = new Set(); // operations, and callbacks that started one that was not done in time
  for (const run of runs.filter(({ kind }) => kind === 'immediate')) {
    const done = runs.findLast((other) => other.id < run.id && isSingle(other));
    const isInTime = done && askedBy(done) === askedBy(run) && done.iteration === run.iteration && done.begin > run.made;
    if (isInTime && !answered.has(done)) {
      answered.add(done);
      note(run, new RegExp(`^either order: #${done.id} was done when poll looked, before this$`));
    } else if (byId.get(run.cause)?.phase !== 'poll' && !answered.has(askedBy(run)) &&
               runs.some((other) => other.id > run.id && askedBy(other) === askedBy(run) && isSingle(other))) {
      answered.add(askedBy(run));
      note(run, new RegExp(`^either order: an operation of #${askedBy(run)} was not done when poll looked, before this$`));
    }
  }
  // No program of the guide has two operations of one callback under way.
  return notes;
}

function checkNotes({ runs, notes }) {
  const expected = expectedNotes(runs);
  const byId = new Map(runs.map((run) => [run.id, run]));
  for (const { run, text } of notes) {
    assert(expected.has(run), `${show(byId.get(run))} has the note: ${text}`);
    assert.match(text, expected.get(run));
    expected.delete(run);
  }
  assert.deepStrictEqual([...expected], [], 'notes that are missing');
}

// ----------------------------------------------------------------------------------------------------------------

function check(seen) {
  const wrong = compare(story, withoutPlumbing(seen));
  assert(wrong === undefined, wrong);
}

async function main() {
  assert(story !== undefined, `guide/stories.js has nothing of ${name}`);
  const [text, json] = await Promise.all([explain(), explain('--json')]);
  for (const { status, stderr } of [text, json]) assert.deepStrictEqual([status, stderr], [0, '']);

  const seen = fromText(text.stdout);
  check(seen);
  if (!(name in kLimits)) checkWhys(seen);

  const document = JSON.parse(json.stdout);
  check(fromJson(document));
  const { runs } = document;
  checkPhases(runs);
  checkTimers(runs);
  checkCauses(runs);
  checkImmediates(runs);
  checkFollowing(runs);
  checkNotes(document);
  assert.strictEqual(document.summary.callbacks >= runs.length, true);
  assert.strictEqual(document.end, 'nothing-left');
}

main();
