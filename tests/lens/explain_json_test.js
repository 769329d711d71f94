'use strict';
// `rondo explain --json`: a document that is valid for any program, and in which everything fits together.

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');

const { explain, printed, rondo, root } = require('./explain.js');

const kPhases = ['timers', 'pending', 'idle', 'prepare', 'poll', 'check', 'close'];
const kEpsilon = 0.0021;  // two numbers of three decimals

function near(a, b, message) {
  assert(Math.abs(a - b) < kEpsilon, `${message}: ${a} and ${b}`);
}

// What has to hold in every document.
function checkDocument(document) {
  assert.strictEqual(document.format, 'rondo-explain');
  assert.strictEqual(document.version, 1);
  assert.strictEqual(document.backend, process.env.RONDO_BACKEND ?? document.backend);
  assert(Math.abs(Date.now() - Date.parse(document.started)) < 600_000, document.started);
  checkRuns(document);
  checkTimeline(document);
  checkIterations(document);
  checkSummary(document);
}

function checkRuns({ runs, summary }) {
  const byId = new Map(runs.map((run) => [run.id, run]));
  assert.strictEqual(byId.size, runs.length);
  assert.strictEqual(runs[0].kind, 'main');
  const stack = [];
  let last = null;
  for (const run of runs) {
    const about = JSON.stringify(run);
    if (last !== null) assert(run.id > last.id && run.begin >= last.begin, about);
    assert(run.begin >= 0 && run.end >= run.begin && run.end <= summary.total + kEpsilon, about);
    near(run.ran, run.end - run.begin, about);
    if (run.cause !== null) {
      const cause = byId.get(run.cause);
      assert(cause !== undefined && cause.id < run.id, about);
      assert.strictEqual(run.depth, cause.depth + 1, about);
    }
    if (run.made !== undefined) {
      assert(run.made <= run.begin, about);
      near(run.waited, run.begin - run.made, about);
    }
    if (run.after !== null) assert(byId.get(run.after).begin < run.begin && run.after !== run.id, about);
    // Times nest: what began earlier has ended, or goes on until after this one.
    while (stack.length > 0 && stack.at(-1).end <= run.begin) stack.pop();
    if (stack.length > 0) assert(run.end <= stack.at(-1).end, `${about} inside ${JSON.stringify(stack.at(-1))}`);
    assert.strictEqual(run.inside, stack.at(-1)?.id ?? null, about);
    stack.push(run);
    if (run.site !== null) assert(run.site.file && run.site.line > 0 && run.site.column > 0, about);
    last = run;
  }
}

function checkTimeline({ runs, output, sleeps, summary, timeline }) {
  const seen = { run: [], output: [], sleep: [], unlisted: [] };
  for (const moment of timeline) {
    const [[what, value], ...others] = Object.entries(moment);
    assert.strictEqual(others.length, 0);
    seen[what].push(value);
  }
  assert.deepStrictEqual(seen.run, runs.map(({ id }) => id));
  assert.deepStrictEqual(seen.output, [...output.keys()]);
  assert.deepStrictEqual(seen.sleep, [...sleeps.keys()]);
  assert.strictEqual(seen.unlisted.reduce((sum, n) => sum + n, 0), summary.callbacks - summary.listed);
}

function checkIterations({ runs, iterations }) {
  assert.strictEqual(iterations.reduce((sum, { phases }) => sum + phases.reduce((n, phase) => n + phase.runs, 0), 0),
    runs.length);
  for (const { number, begin, end, phases } of iterations) {
    const visited = phases.map(({ phase }) => kPhases.indexOf(phase)).filter((index) => index >= 0);
    assert.deepStrictEqual(visited, [...new Set(visited)].sort((a, b) => a - b), `phases of ${number}`);
    for (const phase of phases) assert(phase.begin >= begin && phase.end <= end && phase.begin <= phase.end);
  }
  const numbers = iterations.map(({ number }) => number);
  assert.deepStrictEqual(numbers, [...new Set(numbers)].sort((a, b) => a - b));
}

function checkSummary({ runs, summary }) {
  assert.strictEqual(summary.listed, runs.length);
  const sum = (list) => list.reduce((total, n) => total + n, 0);
  assert.strictEqual(sum(Object.values(summary.kinds)), summary.callbacks);
  assert.strictEqual(sum(Object.values(summary.phases).map(({ callbacks }) => callbacks)), summary.callbacks);
  assert(sum(Object.values(summary.phases).map(({ time }) => time)) + summary.idle <= summary.total + 1);
  const longest = summary.longest.map(({ ran }) => ran);
  assert.deepStrictEqual(longest, longest.toSorted?.((a, b) => b - a) ?? [...longest].sort((a, b) => b - a));
}

const program = (name) => `tests/lens/programs/${name}.js`;

// The tour is all the others again; many.js does what the other one does, for a shorter time.
const kLong = ['tour.js', 'tick_starves_io.js'];

for (const folder of ['examples/js', 'tests/lens/programs']) {
  for (const file of fs.readdirSync(path.join(root, folder)).filter((name) => /\.m?js$/.test(name))) {
    if (kLong.includes(file)) continue;
    test(`everything fits together: ${folder}/${file}`, () => checkDocument(explain(`${folder}/${file}`).document));
  }
}

test('the program ends by itself', () => {
  const { status, document } = explain(program('mixed'));
  assert.strictEqual(status, 0);
  assert.strictEqual(document.end, 'nothing-left');
  assert.strictEqual(document.program, program('mixed'));
  assert.deepStrictEqual(printed(document, 'stdout').toString().split('\n').sort(),
    ['', '// Of everything a little.', 'back: hello', 'done']);
});

test('causes and places', () => {
  const { document: { runs, output } } = explain('examples/js/immediate_inside_io.js');
  const immediate = runs.find(({ kind }) => kind === 'immediate');
  const read = runs.find(({ id }) => id === immediate.cause);
  const timeout = runs.find(({ kind }) => kind === 'timeout');
  assert.strictEqual(read.phase, 'poll');
  assert.strictEqual(read.site.line, 5);
  assert.match(read.label, /^readFile .*immediate_inside_io\.js$/);
  assert.strictEqual(immediate.phase, 'check');
  assert.strictEqual(immediate.iteration, read.iteration);
  assert.strictEqual(timeout.cause, read.id);
  assert.strictEqual(timeout.phase, 'timers');
  assert.strictEqual(timeout.delay, 1);
  assert.match(immediate.site.file, /\/immediate_inside_io\.js$/);
  assert.strictEqual(immediate.site.line, 9);
  assert.strictEqual(timeout.site.line, 6);
  assert.deepStrictEqual(output.map(({ run, text }) => [run, text]),
    [[immediate.id, 'immediate\n'], [timeout.id, 'timeout\n']]);
});

test('an exception that nobody catches', () => {
  const { status, document } = explain(program('throws'));
  assert.strictEqual(status, 1);
  assert.strictEqual(document.end, 'uncaught');
  assert.strictEqual(document.exitCode, 1);
  assert.strictEqual(printed(document, 'stdout').toString(), 'before\n');
  assert.match(printed(document, 'stderr').toString(), /Error: nobody catches this\n {4}at .*fails/);
});

test('process.exit()', () => {
  const { status, document } = explain(program('exits'));
  assert.strictEqual(status, 7);
  assert.strictEqual(document.end, 'exit-called');
  assert.strictEqual(document.exitCode, 7);
  assert.strictEqual(printed(document, 'stdout').toString(), 'leaving\nexit\n');
});

test('bytes that are not UTF-8', () => {
  const { document } = explain(program('binary'));
  assert.deepStrictEqual([...printed(document, 'stdout')],
    [0xff, 0x00, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x0a, 0xe2, 0x82, 0xac, 0x0a]);
  assert.strictEqual(document.output[0].text.slice(0, 4), '\ufffd\0\ufffd(');
});

test('output is of the callback that printed it, however much it is', () => {
  const { document } = explain(program('large_output'));
  const sizes = new Map();
  for (const { run, text } of document.output) sizes.set(run, (sizes.get(run) ?? 0) + text.length);
  assert.deepStrictEqual([...sizes.values()], Array(8).fill(2.5e6));
});

test('nothing in the document can end a script element', () => {
  const { stdout } = rondo('explain', '--json', program('hostile'));
  assert(!stdout.includes('<'));
  const document = JSON.parse(stdout);
  assert.match(printed(document, 'stdout').toString(), /^<\/script><script>alert\(1\)<\/script><!--<img/);
  assert(document.runs.some(({ label }) => label.includes('</script>')));
});

test('the first callbacks are listed, all are counted', () => {
  const { document: { summary, runs, aggregates, output } } = explain(program('many'), '--limit=10');
  assert.strictEqual(runs.length, 10);
  assert(summary.callbacks > 5000);
  // The first was scheduled elsewhere.
  assert.deepStrictEqual(aggregates.filter(({ label }) => label === 'tick again')
    .map(({ count, site }) => [count, site.line]).sort(), [[1, 3], [4999, 4]]);
  assert.deepStrictEqual(output.map(({ text }) => text), ['done\n']);
});

test('the arguments after the script are its own', () => {
  const { document } = explain('tests/lens/programs/arguments.js', '--limit=5');
  assert.strictEqual(printed(document, 'stdout').toString(), '[]\n');
  const { stdout } = rondo('explain', '--json', 'tests/lens/programs/arguments.js', '--json', 'x');
  assert.strictEqual(printed(JSON.parse(stdout), 'stdout').toString(), '["--json","x"]\n');
});

test('--html=FILE: a page; a file that cannot be written is reported before the program runs', () => {
  const page = path.join(fs.mkdtempSync(path.join(require('node:os').tmpdir(), 'rondo-explain-')), 'page.html');
  const good = rondo('explain', `--html=${page}`, program('exits'));
  assert.strictEqual(good.status, 7);
  const html = fs.readFileSync(page, 'utf8');
  assert(html.startsWith('<!doctype html>'));
  const [, data] = /<script type="application\/json" id="data">([^<]*)<\/script>/.exec(html);
  checkDocument(JSON.parse(data));
  assert(!/\b(src|href)="(?!#)/.test(html.replace(data, '')), 'nothing is fetched');
  const bad = rondo('explain', '--html=/nowhere/page.html', program('exits'));
  assert.strictEqual(bad.status, 1);
  assert.match(bad.stderr.toString(), /\/nowhere\/page\.html/);
  assert.strictEqual(bad.stdout.toString(), '');
  const full = rondo('explain', '--html=/dev/full', program('exits'));
  assert.strictEqual(full.status, 7);
  assert.match(full.stderr.toString(), /cannot write \/dev\/full: No space left on device/);
  assert.strictEqual(full.stdout.toString(), 'leaving\nexit\n', 'the program prints as usual');
  fs.rmSync(path.dirname(page), { recursive: true });
});
