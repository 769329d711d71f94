'use strict';
// `rondo explain` on programs with very many callbacks: all are counted, by what they are and where they come from, in
// memory that has a bound.

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-scale-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

// AddressSanitizer keeps what was freed: there the memory says nothing.
const isSanitized = fs.readFileSync('/proc/self/maps', 'utf8').includes('/libasan.');

const kMemory = "process.on('exit', () => console.error(process.memoryUsage.rss()));\n";

function rondo(...args) {
  return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
}

// Counts by label and line, the status, the document; and that it took no more than so many bytes more than without us.
function explain(source, more, ...options) {
  fs.writeFileSync(path.join(folder, 'program.js'), kMemory + source);
  const plain = rondo(...options.filter((option) => option === '--expose-gc'), 'program.js');
  const { status, stdout } = rondo('explain', '--json', ...options, 'program.js');
  assert.strictEqual(status, plain.status);
  const document = JSON.parse(stdout);
  const memory = Number(document.output.find(({ stream }) => stream === 'stderr').text);
  if (!isSanitized) {
    assert(memory < Number(plain.stderr) + more, `${memory} bytes, and ${plain.stderr} without us`);
  }
  const counts = Object.fromEntries(document.aggregates.map(({ label, count, site }) => [`${label} :${site?.line}`, count]));
  return { counts, document, status };
}

const kMegabyte = 1024 * 1024;

test('one after the other, of every kind', () => {
  const { counts, document } = explain(`
    const n = 20000;
    let ticks = 0, microtasks = 0, immediates = 0, thens = 0;
    (function tick() { if (ticks++ < n) process.nextTick(tick); })();
    (function microtask() { if (microtasks++ < n) queueMicrotask(microtask); })();
    (function immediate() { if (immediates++ < n) setImmediate(immediate); })();
    (function then() { if (thens++ < n) Promise.resolve().then(then); })();
    (async () => { for (let i = 0; i < n; i++) await null; })();`, 100 * kMegabyte);
  assert.strictEqual(counts['tick tick :5'], 20000);
  assert.strictEqual(counts['microtask :6'], 20000);
  assert.strictEqual(counts['immediate :7'], 20000);
  assert.strictEqual(counts['promise :8'], 20000);
  assert.strictEqual(counts['await :9'], 20000);
  assert.strictEqual(document.summary.listed, 2000);
  // As many rounds as immediates that set each other: the first of them runs in the first.
  assert(document.summary.iterations >= 20000, String(document.summary.iterations));
});

test('all at once', () => {
  const { counts } = explain(`
    for (let i = 0; i < 60000; i++) {
      setTimeout(() => {}, 1 + i % 2);
      setImmediate(() => {});
      process.nextTick(() => {});
    }`, 150 * kMegabyte);
  assert.strictEqual(counts['setTimeout … :4'], 60000);
  assert.strictEqual(counts['immediate :5'], 60000);
  assert.strictEqual(counts['tick :6'], 60000);
});

test('a chain of 100,000 causes, all of them listed', () => {
  const { document } = explain(`
    let left = 100000;
    (function again() { if (--left > 0) setImmediate(again); })();`, 250 * kMegabyte, '--limit=200000');
  const { runs } = document;
  assert.strictEqual(runs.at(-1).label, "'exit' of process");
  const last = runs.at(-2);
  assert.strictEqual(last.depth, 99999);
  assert.strictEqual(last.iteration, 99999);
  runs.slice(1, -1).forEach((run, i) => assert(run.cause === i + 1 && run.depth === i + 1, JSON.stringify(run)));
});

test('one without an end, that is ended', () => {
  const { document, status, counts } = explain(`
    let count = 0;
    (function again() {
      if (++count === 50000) process.exit(3);
      setImmediate(again);
    })();`, 100 * kMegabyte, '--limit=5');
  assert.strictEqual(status, 3);
  assert.strictEqual(document.end, 'exit-called');
  assert.strictEqual(document.runs.length, 5);
  assert.strictEqual(counts['immediate :6'], 49999);
});

test('names without number', () => {
  const { document } = explain(`
    let left = 30000;
    (function again() {
      const f = { ['name' + left]() { again(); } }['name' + left];
      if (--left > 0) process.nextTick(f);
    })();`, 150 * kMegabyte);
  assert.strictEqual(document.summary.kinds.tick, 29999);
  assert.strictEqual(document.aggregates.find(({ label }) => label === 'tick …').count, 29999);
});

// Places are found again by the addresses of calls, which change when V8 compiles and collects garbage.
test('places stay right', () => {
  const lines = Array.from({ length: 40 }, (_, i) => `function f${i}(g) { setImmediate(g); process.nextTick(() => {}); return ${i}; }`);
  const { counts } = explain(`${lines.join('\n')}
    const all = [${lines.map((_, i) => `f${i}`)}];
    let count = 0;
    function next() {
      if (count === 40 * 500) return;
      if (count % 4000 === 0) globalThis.gc();
      all[count++ % 40](next);
    }
    next();`, 100 * kMegabyte, '--expose-gc');
  for (let i = 0; i < 40; i++) {
    assert.strictEqual(counts[`immediate :${i + 2}`], 500, `line ${i + 2}`);
    assert.strictEqual(counts[`tick :${i + 2}`], 500, `line ${i + 2}`);
  }
});
