'use strict';
// "Left unfinished": what a program still waited for when it ended, by the line that waits, in `rondo explain`, in
// --why-alive and in rondo:lens. Each test is a puzzle: a program that ends, or stands still, without a word.

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-unfinished-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

function rondo(options, source, name = 'program.js') {
  fs.writeFileSync(path.join(folder, name), source);
  const { error, ...result } = spawnSync(process.execPath, [...options, name], { cwd: folder, encoding: 'utf8', timeout: 60_000 });
  if (error) throw error;
  return result;
}

// What was left unfinished, each as a line: "kind what @line source".
function leftBy(source, name) {
  const { status, stdout } = rondo(['explain', '--json'], source, name);
  const { leftUnfinished } = JSON.parse(stdout);
  return { status, left: leftUnfinished.map(toLine), entries: leftUnfinished };
}

function toLine({ kind, what, count, site, source }) {
  const where = site === null ? '' : ` @${site.line}`;
  return `${kind}: ${what}${where}${source ? ` | ${source}` : ''}${count > 1 ? ` (${count})` : ''}`;
}

// The report at the end with --why-alive; the folder's name is cut off.
function reportOn(source, name) {
  const { stderr } = rondo(['--why-alive'], source, name);
  return stderr.replaceAll(`${fs.realpathSync(folder)}/`, '');
}

// What the documentation quotes is what is printed.
test('docs/unfinished.md', () => {
  const document = fs.readFileSync(path.join(__dirname, '../../docs/unfinished.md'), 'utf8');
  const source = fs.readFileSync(path.join(__dirname, 'programs/unfinished.js'), 'utf8');
  const indented = (text) => text.trimEnd().split('\n').map((line) => `    ${line}`.trimEnd()).join('\n');
  assert(document.includes(indented(source)));
  assert(document.includes(indented(reportOn(source, 'unfinished.js').replaceAll('unfinished.js:', '/srv/unfinished.js:'))));
});

// ---- Promises --------------------------------------------------------------------------------

const kNever = `async function main() {
  console.log('before');
  await new Promise(() => {});
  console.log('after');
}
main();
`;

test('a promise that never settles: the function and the line of its await', () => {
  const { status, left, entries } = leftBy(kNever);
  assert.strictEqual(status, 0);
  assert.deepStrictEqual(left, ['await: await in main @3 | await new Promise(() => {});']);
  assert.strictEqual(entries[0].site.function, 'main');
  assert.strictEqual(entries[0].site.file, path.join(fs.realpathSync(folder), 'program.js'));
  assert.strictEqual(entries[0].site.column, 9);
});

test('the same in the text of explain', () => {
  const { stdout } = rondo(['explain'], kNever);
  assert.match(stdout, /\nleft unfinished\n {2}await in main {2}program\.js:3\n {6}await new Promise\(\(\) => \{\}\);\n$/);
});

test('the same at the end with --why-alive', () => {
  assert.strictEqual(reportOn(kNever), [
    '[why-alive] 1 thing was left unfinished (nothing was left to wait for, exit code 0)',
    '  await in main',
    '      at main (program.js:3:9)',
    '      | await new Promise(() => {});',
    '',
  ].join('\n'));
});

test('a promise that is garbage counts', () => {
  const { left } = leftBy(`
const { setFlagsFromString } = require('v8');
setFlagsFromString('--expose-gc');
const gc = require('vm').runInNewContext('gc');
async function lost() {
  await new Promise(() => {});
}
lost();
setImmediate(() => gc());
`);
  assert.deepStrictEqual(left, ['await: await in lost @6 | await new Promise(() => {});']);
});

test('two functions that wait for each other', () => {
  const { left } = leftBy(`
let first, second;
async function one() { await null; await second; }
async function two() { await null; await first; }
first = one();
second = two();
`);
  assert.deepStrictEqual(left.map((line) => line.split(' |')[0]), ['await: await in one @3', 'await: await in two @4']);
});

test('what has settled is not there', () => {
  const { left } = leftBy(`
const { setTimeout: wait } = require('timers/promises');
const { once, EventEmitter } = require('events');
const fs = require('fs');
async function* numbers() { yield 1; await wait(1); yield 2; }
async function main() {
  await wait(2);
  await Promise.all([wait(1), wait(2)]);
  await fs.promises.readFile(__filename);
  for await (const n of numbers()) await n;
  for await (const n of numbers()) break;
  for await (const chunk of fs.createReadStream(__filename)) chunk.length;
  const emitter = new EventEmitter();
  setImmediate(() => emitter.emit('x'));
  await once(emitter, 'x');
  await Promise.reject(new Error('mine')).catch(() => {});
  try { await Promise.reject(1); } catch {}
  await { then(resolve) { resolve(1); } };
  return new Promise((resolve) => setImmediate(resolve));
}
main().then(() => {}, () => {}).finally(() => {});
`);
  assert.deepStrictEqual(left, []);
});

test('equal lines are one entry with their count, in the order of the source', () => {
  const { left } = leftBy(`
async function late() { await new Promise(() => {}); }
async function many() { await new Promise(() => {}); }
for (let i = 0; i < 5; i++) many();
late();
`);
  assert.deepStrictEqual(left.map((line) => line.replace(/ \|.*\}/, '')),
    ['await: await in late @2', 'await: await in many @3 (5)']);
});

test('an event that never comes', () => {
  const { left } = leftBy(`
const { once, EventEmitter } = require('events');
const ready = new EventEmitter();
(async () => {
  await once(ready, 'ready');
})();
`);
  assert.deepStrictEqual(left, ["await: await in a function without a name @5 | await once(ready, 'ready');"]);
});

test('then() on what never settles', () => {
  const { left } = leftBy(`
const never = new Promise(() => {});
never.then(() => console.log('done'))
  .catch(() => {});
`);
  assert.deepStrictEqual(left, [
    "promise: callback of a promise @3 | never.then(() => console.log('done'))",
    'promise: callback of a promise @4 | .catch(() => {});',
  ]);
});

test('await of Promise.all() is one entry', () => {
  const { left } = leftBy(`
async function main() {
  await Promise.all([new Promise(() => {}), 1]);
}
main();
`);
  assert.deepStrictEqual(left, ['await: await in main @3 | await Promise.all([new Promise(() => {}), 1]);']);
});

test('a pool whose queue is never drained', () => {
  const { left } = leftBy(`
const queue = [];
function run(job) {
  return new Promise((resolve) => queue.push({ job, resolve }));
}
async function work(i) {
  return await run(() => i);
}
async function main() {
  await Promise.all([1, 2, 3].map(work));
}
main();
`);
  assert.deepStrictEqual(left, [
    'await: await in work @7 | return await run(() => i); (3)',
    'await: await in main @10 | await Promise.all([1, 2, 3].map(work));',
  ]);
});

test('top-level await that never settles', () => {
  const source = `
console.log('x');
const wait = async () => { await new Promise(() => {}); };
await wait();
`;
  const { status, left } = leftBy(source, 'program.mjs');
  assert.strictEqual(status, 13);
  assert.deepStrictEqual(left, [
    'await: await in wait @3 | const wait = async () => { await new Promise(() => {}); };',
    'await: top-level await @4 | await wait();',
  ]);
  assert.match(reportOn(source, 'program.mjs'), /^\[why-alive\] 2 things were left unfinished \(nothing was left to wait for, exit code 13\)\n/m);
});

// ---- Streams ---------------------------------------------------------------------------------

test('a stream that no one ends', () => {
  const { left } = leftBy(`
const { PassThrough } = require('stream');
const source = new PassThrough();
source.write('first');
(async function read() {
  for await (const chunk of source) console.log(String(chunk));
})();
`);
  assert.deepStrictEqual(left, [
    "stream: PassThrough: its reader waits for more, the end never came @3 | const source = new PassThrough();",
    'await: await in read @6 | for await (const chunk of source) console.log(String(chunk));',
  ]);
});

test('a pipe that no one reads', () => {
  const { left } = leftBy(`
const { PassThrough, Readable } = require('stream');
const { pipeline } = require('stream/promises');
const from = Readable.from(Array(100).fill(Buffer.alloc(1000)), { objectMode: false, highWaterMark: 5000 });
const into = new PassThrough({ highWaterMark: 2000 });
from.pipe(into);
`);
  assert.strictEqual(left.length, 2, left.join('\n'));
  assert.match(left[0], /^stream: Readable: \d+ bytes wait until PassThrough takes more @4 /);
  assert.match(left[1], /^stream: PassThrough: 'drain' never came, \d+ bytes wait to be written; \d+ bytes wait for a reader @5 /);
});

test("a writer that waits for 'drain'", () => {
  const { left } = leftBy(`
const { once } = require('events');
const { Writable } = require('stream');
class Slow extends Writable {
  _write(chunk, encoding, callback) {}
}
async function fill() {
  const slow = new Slow({ highWaterMark: 10 });
  globalThis.slow = slow;
  while (slow.write('0123456789')) ;
  await once(slow, 'drain');
}
fill();
`);
  assert.deepStrictEqual(left, [
    "stream: Slow: 'drain' never came, 10 bytes wait to be written @8 | const slow = new Slow({ highWaterMark: 10 });",
    "await: await in fill @11 | await once(slow, 'drain');",
  ]);
});

test("end() without 'finish'", () => {
  const { left } = leftBy(`
const { Writable } = require('stream');
const sink = new Writable({ write(chunk, encoding, callback) { callback(); }, final() {} });
globalThis.sink = sink;
sink.end('x');
`);
  assert.deepStrictEqual(left.map((line) => line.split(' |')[0]), ["stream: Writable: end() was called, 'finish' never came @3"]);
});

test('streams that are done are not there', () => {
  const { left } = leftBy(`
const fs = require('fs');
const { PassThrough, Readable, Transform } = require('stream');
const { pipeline } = require('stream/promises');
async function main() {
  const through = new PassThrough();
  await pipeline(fs.createReadStream(__filename), through, fs.createWriteStream(__filename + '.copy'));
  globalThis.keep = [through, new PassThrough(), Readable.from([]), process.stdout, process.stderr];
  process.stdout.write('done');
  through.destroy();
  const destroyed = new PassThrough();
  destroyed.write('x');
  destroyed.destroy();
  globalThis.keep.push(destroyed);
}
main();
`);
  assert.deepStrictEqual(left, []);
});

// ---- What an exit drops ----------------------------------------------------------------------

test('process.exit() with timers, operations and awaits', () => {
  const { status, left } = leftBy(`
const fs = require('fs');
setTimeout(() => {}, 60000);
setInterval(() => {}, 5000);
setTimeout(() => {}, 1000).unref();
fs.writeFile(__filename + '.copy', 'x', () => {});
async function main() {
  await fs.promises.stat(__filename);
}
main().catch(() => {});
process.exit(4);
`);
  assert.strictEqual(status, 4);
  assert.deepStrictEqual(left, [
    'timer: setTimeout 60000 ms @3 | setTimeout(() => {}, 60000);',
    'timer: setInterval 5000 ms @4 | setInterval(() => {}, 5000);',
    "request: writeFile program.js.copy @6 | fs.writeFile(__filename + '.copy', 'x', () => {});",
    'await: await in main @8 | await fs.promises.stat(__filename);',
    'request: stat program.js @8 | await fs.promises.stat(__filename);',
  ]);
});

test('process.exit() in the middle of a write', () => {
  const { left } = leftBy(`
const net = require('net');
const server = net.createServer().listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1');
  socket.on('connect', () => {
    socket.write(Buffer.alloc(50_000_000));
    process.exit();
  });
});
`);
  assert(left.some((line) => /^stream: Socket: .* bytes wait to be written @4 /.test(line)), left.join('\n'));
});

test('a child that still runs', () => {
  const { left } = leftBy(`
const { spawn } = require('child_process');
const child = spawn('sleep', ['60'], { stdio: 'ignore' });
child.unref();
process.on('exit', () => child.kill());
`);
  assert.deepStrictEqual(left.map((line) => line.replace(/process \d+ /, 'process ')), ["child: child process (sleep 60) @3 | const child = spawn('sleep', ['60'], { stdio: 'ignore' });"]);
});

test('an exception that is not caught: explain reports, --why-alive does not', () => {
  const source = `
setTimeout(() => {}, 60000);
throw new Error('mine');
`;
  assert.deepStrictEqual(leftBy(source).left, ['timer: setTimeout 60000 ms @2 | setTimeout(() => {}, 60000);']);
  assert(!reportOn(source).includes('[why-alive]'));
});

test('nothing is printed if nothing was left', () => {
  assert.strictEqual(reportOn('setTimeout(() => {}, 1); setTimeout(() => {}, 1000).unref();'), '');
  const { stdout } = rondo(['explain'], 'setTimeout(() => {}, 1);');
  assert(!stdout.includes('left unfinished'));
});

test('a long list is cut, and says so', () => {
  const functions = Array.from({ length: 30 }, (_, i) => `async function f${i}() { await new Promise(() => {}); }\nf${i}();\n`);
  const source = functions.join('');
  assert.strictEqual(leftBy(source).left.length, 30);
  const report = reportOn(source);
  assert.strictEqual(report.match(/^ {2}await in f/gm).length, 20);
  assert.match(report, /^\[why-alive\] 30 things were left/);
  assert.match(report, /\n {2}\(and 10 more places\)\n$/);
});

// ---- On demand -------------------------------------------------------------------------------

test('unfinished() of rondo:lens', () => {
  const { stdout } = rondo([], `
const { unfinished } = require('rondo:lens');
unfinished(); // from here on it knows
let resolve;
async function waits() {
  await new Promise((r) => { resolve = r; });
}
waits();
setImmediate(() => {
  const [first, ...others] = unfinished();
  console.log(JSON.stringify({ ...first, site: { ...first.site, file: undefined } }), others.length);
  resolve();
  setImmediate(() => console.log(unfinished()));
});
`);
  assert.strictEqual(stdout, `${JSON.stringify({
    kind: 'await', what: 'await in waits', count: 1, site: { line: 6, column: 9, function: 'waits' },
    source: 'await new Promise((r) => { resolve = r; });',
  })} 0\n[]\n`);
});

test('memory does not grow with awaits that are never continued', () => {
  const { stdout } = rondo(['--why-alive'], `
const { unfinished } = require('rondo:lens');
async function waits() {
  await new Promise(() => {});
}
for (let i = 0; i < 100_000; i++) waits();
console.log(unfinished().map(({ count }) => count));
process.reallyExit(0);
`);
  assert.strictEqual(stdout, '[ 100000 ]\n');
});
