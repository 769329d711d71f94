'use strict';
// Random sequences of operations on files: files.js FIRST COUNT. A program has a small tree of its own, with links, FIFOs
// and things that are missing. Its operations run one after the other, each with a callback, as a promise or at once,
// and what it gives or fails with is printed; at the end, the tree and what is left open.

const { Random } = require('./random.js');
const { execFileSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { Readable, pipeline } = require('stream');

const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY } = fs.constants;

const kNames = ['a', 'b', 'c', 'dir', 'dir/x', 'dir/sub', 'dir/sub/y', 'link', 'linkdir', 'linkdir/x', 'dangling', 'loop', 'loop/z',
  'fifo', 'nope', 'nope/x', 'a/x', 'a/', 'dir/', 'linkdir/', 'dangling/x', 'b/../a', './a', '.', 'empty', 'empty/new', 'é', ''];
const kFlags = ['r', 'r+', 'w', 'w+', 'wx', 'a', 'a+', 'ax', 'rs+', O_RDONLY, O_RDWR | O_CREAT, O_WRONLY | O_TRUNC, O_RDONLY | O_DIRECTORY,
  O_WRONLY | O_APPEND | O_CREAT, O_RDWR | O_EXCL | O_CREAT, O_RDONLY | O_NOFOLLOW, 'q', null, undefined, 1.5, {}];
const kOdd = [undefined, null, -1, 1.5, NaN, Infinity, '1', {}, [], true, 2 ** 31, 2 ** 53, 10n];

// Sizes and positions are below it: a file with a hole of gigabytes takes too long to read.
const kMostSize = 100_000;

// More buffers than the kernel takes at a time.
const kMoreThanOneCall = 1100;

let random;
let lines = 0;

// ---- What is printed -------------------------------------------------------------------------

let root;

// Without the names that are made up at random.
function tidy(text) {
  return text.replaceAll(root, '<root>').replace(/t-[A-Za-z0-9]{6}/g, 't-******');
}

function print(...words) {
  lines++;
  console.log(tidy(`${lines}. ${words.join(' ')}`));
}

function showError(error) {
  const props = ['code', 'errno', 'syscall', 'path', 'dest'].filter((key) => error[key] !== undefined)
    .map((key) => `${key}=${String(error[key])}`);
  return `${error.name} ${props.join(' ')} ${error.message}`;
}

function show(value) {
  if (value === undefined || value === null || typeof value !== 'object') return String(value);
  if (Buffer.isBuffer(value)) return `Buffer ${value.length} ${value.subarray(0, 60).toString('latin1').replaceAll('\0', '.')}`;
  if (value instanceof fs.Stats) return showStats(value);
  if (value instanceof fs.Dirent) return `${value.name}:${typeOf(value)}:${value.parentPath}`;
  if (Array.isArray(value)) return `[${value.slice(0, 50).map(show)}${value.length > 50 ? ` of ${value.length}` : ''}]`;
  if (typeof value.mtimeNs === 'bigint') return `bigint ${showStats(value)}`;
  if (ArrayBuffer.isView(value)) return `view ${value.byteLength}`;
  const entries = Object.entries(value).filter(([, inside]) => typeof inside !== 'function');
  return `{${entries.map(([key, inside]) => `${key}: ${show(inside)}`)}}`;
}

function typeOf(stats) {
  return ['isFile', 'isDirectory', 'isSymbolicLink', 'isFIFO', 'isSocket', 'isCharacterDevice', 'isBlockDevice']
    .filter((name) => stats[name]()).join();
}

// Folders have a size that depends on what was in them.
function showStats(stats) {
  const kind = typeOf(stats);
  const when = Number(stats.mtimeMs) < 1e12 || Number(stats.mtimeMs) > 3e12 ? `${stats.mtimeMs} ${stats.mtime.getTime()}` : '';
  return `${kind} ${stats.mode.toString(8)} ${stats.nlink} ${kind === 'isFile' ? stats.size : ''} ${when}`;
}

// ---- Arguments -------------------------------------------------------------------------------

function name() {
  if (random.chance(2)) return random.pick([undefined, null, {}, [], true, 10n]);
  const text = random.pick(kNames);
  if (random.chance(6)) return Buffer.from(text);
  if (random.chance(3)) return `${text}\0`;
  if (random.chance(2)) return 'n'.repeat(300);
  return text;
}

// A name that a blocking open() does not wait for ever on, and that gives the FIFO no other name.
function openable() {
  for (;;) {
    const picked = name();
    if (String(picked) !== 'fifo') return picked;
  }
}

// No folder. (Node removes the target of an attempt to copy one.)
function file() {
  for (;;) {
    const picked = openable();
    try {
      if (fs.statSync(picked).isDirectory()) continue;
    } catch {
      // There is none, or it is no path.
    }
    return picked;
  }
}

// What rmSync() of Node fails at without a code, or half done.
function removable() {
  for (;;) {
    const picked = name();
    // Not a name with a slash at its end: rmSync() of Node empties the folder behind a link. That is not followed.
    if (String(picked).endsWith('/')) continue;
    if (!['.', 'loop/z'].includes(String(picked)) && !String(picked).startsWith('nnn')) return picked;
  }
}

function maybeOdd(value, percent = 4, most = Infinity) {
  const odd = random.chance(percent) ? random.pick(kOdd) : value;
  return odd > most ? value : odd; // as a mode, Node ends at a large one
}

function data() {
  const size = random.pick([0, 1, 5, 100, 5000, 70_000]);
  const bytes = Buffer.alloc(size);
  for (let i = 0; i < size; i++) bytes[i] = 97 + (i * 7 + size) % 26;
  switch (random.below(8)) {
    case 0: return bytes.toString();
    case 1: return new Uint8Array(bytes);
    case 2: return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    case 3: return random.chance(20) ? random.pick(kOdd) : bytes;
    default: return bytes;
  }
}

function many() {
  return Array.from({ length: kMoreThanOneCall }, () => Buffer.from('m'));
}

function position() {
  return random.pick([null, undefined, 0, 1, 3, 10, 1000, -1, maybeOdd(2, 20, kMostSize)]);
}

function mode() {
  return maybeOdd(random.pick([0o644, 0o600, 0o777, 0o755, '644', '0755', 'x', undefined]), 10, 0x7fffffff);
}

function time() {
  return maybeOdd(random.pick([0, 1, 1.5, 1e9, 1e10, '123', -1.5, new Date(1234567890123), new Date(-1500), new Date(NaN)]), 10);
}

// ---- Descriptors and handles that are open -----------------------------------------------------

let fds;
let handles;

function fd() {
  if (random.chance(5)) return random.pick([9999, -1, 1.5, '1', null, {}]);
  return fds.length > 0 ? random.pick(fds) : 9999;
}

function showFd(value) {
  const index = fds.indexOf(value);
  return index >= 0 ? `fd${index}` : show(value);
}

// ---- Operations ------------------------------------------------------------------------------

// Of node:fs, in three ways: [method, arguments].
const kOperations = {
  stat: () => [name(), random.pick([undefined, { bigint: true }, { throwIfNoEntry: false }])],
  lstat: () => [name(), random.pick([undefined, { bigint: true }, { throwIfNoEntry: false }])],
  access: () => [name(), maybeOdd(random.pick([0, 1, 2, 4, 7, undefined, 8]), 10)],
  readFile: () => [openable(), random.pick([undefined, 'utf8', 'latin1', { encoding: 'base64' }, { flag: 'r+' }, { flag: 'a+' }, 'nonsense'])],
  writeFile: () => [openable(), data(), random.pick([undefined, 'utf8', { flag: 'a' }, { flag: 'wx' }, { mode: 0o600 }, { flag: 'r+' }, { flush: true }])],
  appendFile: () => [openable(), data(), random.pick([undefined, { mode: 0o600 }, { flag: 'ax' }])],
  truncate: () => [openable(), maybeOdd(random.pick([0, 3, 100, undefined]), 4, kMostSize)],
  copyFile: () => [file(), openable(), maybeOdd(random.pick([undefined, 0, 1, 2]))],
  rename: () => [openable(), name()],
  link: () => [openable(), name()],
  symlink: () => [openable(), name(), random.pick([undefined, undefined, 'dir', 'file', 'bad'])],
  unlink: () => [name()],
  readlink: () => [name(), random.pick([undefined, 'utf8', 'buffer', 'hex'])],
  realpath: () => [name(), random.pick([undefined, 'buffer'])],
  chmod: () => [name(), mode()],
  utimes: () => [name(), time(), time()],
  lutimes: () => [name(), time(), time()],
  chown: () => [name(), maybeOdd(0), maybeOdd(0)],
  mkdir: () => [name(), random.pick([undefined, { recursive: true }, { recursive: true, mode: 0o700 }, 0o700, { recursive: 'x' }, { mode: mode() }])],
  rmdir: () => [name()],
  rm: () => [removable(), random.pick([undefined, { recursive: true }, { force: true }, { recursive: true, force: true }, { force: 1 }])],
  readdir: () => [name(), random.pick([undefined, { withFileTypes: true }, 'buffer', { recursive: true }, { recursive: true, withFileTypes: true }])],
  mkdtemp: () => [random.pick(['dir/t-', 'nope/t-', 'a/t-', 5])],
};

// On descriptors.
const kOnFds = {
  fstat: () => [fd(), random.pick([undefined, { bigint: true }])],
  ftruncate: () => [fd(), maybeOdd(random.pick([0, 2, 50, undefined]), 4, kMostSize)],
  fsync: () => [fd()],
  fdatasync: () => [fd()],
  fchmod: () => [fd(), mode()],
  futimes: () => [fd(), time(), time()],
  fchown: () => [fd(), maybeOdd(0), maybeOdd(0)],
  read: () => [fd(), Buffer.alloc(random.pick([0, 1, 10, 200])), random.pick([0, 0, 0, 1, 5]), random.pick([0, 1, 5, 10]), position()],
  // Not of none: Node calls back for that before it returns.
  readv: () => [fd(), random.pick([[Buffer.alloc(3), Buffer.alloc(0), Buffer.alloc(8)], many()]), position()],
  write: () => [fd(), ...random.pick([
    () => [random.pick(['text', 'é', '']), position()],
    () => [data()],
    () => [Buffer.from('some bytes'), random.pick([0, 1, 4, 20]), random.pick([0, 2, 5, 50]), position()],
    () => [Buffer.from('object'), { offset: 1, length: random.pick([2, 10]), position: position() }],
  ])()],
  writev: () => [fd(), random.pick([[Buffer.from('one'), Buffer.from('two')], [], [Buffer.alloc(0)], [Buffer.from('x'), 5], many()]), position()],
};

function trimmed(args) {
  while (args.length > 0 && args[args.length - 1] === undefined) args.pop();
  return args;
}

function showArgs(args) {
  return args.map((arg) => (typeof arg === 'string' ? JSON.stringify(arg.slice(0, 20)) : show(arg))).join(', ');
}

async function runOne(method, args) {
  const way = random.pick(['callback', 'promise', 'sync']);
  const isOnFd = method in kOnFds;
  let result;
  try {
    if (way === 'sync') {
      result = show(fs[`${method}Sync`](...args));
    } else if (way === 'callback' || isOnFd) {
      result = await new Promise((resolve, reject) => {
        let returned = false;
        fs[method](...args, (error, ...values) => {
          if (!returned) print('CALLED BEFORE IT RETURNED');
          if (error) reject(error);
          else resolve(values.map(show).join(' '));
        });
        returned = true;
      });
    } else {
      result = show(await fs.promises[method](...args));
    }
  } catch (error) {
    result = showError(error);
  }
  const shown = isOnFd ? [showFd(args[0]), showArgs(args.slice(1))].join(', ') : showArgs(args);
  print(`${method} ${way} (${shown}) => ${result}`);
}

async function openOne() {
  const args = trimmed([openable(), random.pick(kFlags), random.pick([undefined, 0o600])]);
  if (args.length > 2 && args[1] === undefined) args[1] = 'r';
  try {
    switch (random.below(3)) {
      case 0:
        fds.push(fs.openSync(...args));
        break;
      case 1:
        fds.push(await new Promise((resolve, reject) => {
          fs.open(...args, (error, opened) => (error ? reject(error) : resolve(opened)));
        }));
        break;
      default:
        handles.push(await fs.promises.open(...args));
    }
    print(`open (${showArgs(args)}) ok`);
  } catch (error) {
    print(`open (${showArgs(args)}) ${showError(error)}`);
  }
}

async function openFifo() {
  try {
    fds.push(fs.openSync('fifo', random.pick([O_RDONLY | O_NONBLOCK, O_RDWR | O_NONBLOCK, O_WRONLY | O_NONBLOCK])));
    print('open fifo ok');
  } catch (error) {
    print('open fifo', showError(error));
  }
}

async function closeOne() {
  if (fds.length === 0) return;
  const index = random.below(fds.length);
  const [closed] = fds.splice(index, 1);
  if (random.chance(50)) {
    fs.closeSync(closed);
  } else {
    await new Promise((resolve, reject) => fs.close(closed, (error) => (error ? reject(error) : resolve())));
  }
  print(`close fd${index}`);
}

const kHandleCalls = {
  stat: () => [random.pick([undefined, { bigint: true }])],
  read: () => random.pick([[Buffer.alloc(10), 0, 10, position()], [Buffer.alloc(5), { offset: 1, position: 0 }], [{ buffer: Buffer.alloc(4) }], [Buffer.alloc(0)]]),
  readv: () => [[Buffer.alloc(3), Buffer.alloc(4)], position()],
  write: () => random.pick([['text', position()], [Buffer.from('bytes'), 1, 3, position()], [Buffer.from('more'), { offset: 2 }], ['']]),
  writev: () => [[Buffer.from('1'), Buffer.from('22')], position()],
  readFile: () => [random.pick([undefined, 'utf8'])],
  writeFile: () => [data()],
  appendFile: () => [data()],
  truncate: () => [random.pick([undefined, 3, 30])],
  chmod: () => [mode()],
  utimes: () => [time(), time()],
  sync: () => [],
  datasync: () => [],
  close: () => [],
};

async function onHandle() {
  if (handles.length === 0) return;
  const handle = random.pick(handles);
  const method = random.pick(Object.keys(kHandleCalls));
  const args = trimmed(kHandleCalls[method]());
  let result;
  try {
    result = show(await handle[method](...args));
  } catch (error) {
    result = showError(error);
  }
  print(`handle.${method} (${showArgs(args)}) => ${result}`);
}

// The events of a stream, until it is closed.
function eventsOf(stream, names) {
  return new Promise((resolve) => {
    const events = [];
    for (const event of names) {
      stream.on(event, (value) => {
        events.push(value instanceof Error ? `${event} ${showError(value)}` : event === 'data' ? `data ${value.length}` : event);
      });
    }
    stream.on('close', () => resolve(events.join(', ')));
  });
}

async function readStream() {
  const options = random.pick([undefined, 'utf8', { start: 2 }, { start: 1, end: 4 }, { end: 3, highWaterMark: 2 }, { highWaterMark: 1000 },
    { start: 5, end: 2 }, { flags: 'r+' }, { start: 1.5 }, { start: -1 }]);
  const target = openable();
  try {
    const stream = fs.createReadStream(target, options);
    print(`createReadStream (${showArgs([target, options])}) ${await eventsOf(stream, ['open', 'ready', 'data', 'end', 'error', 'close'])} ${stream.bytesRead}`);
  } catch (error) {
    print(`createReadStream (${showArgs([target, options])}) ${showError(error)}`);
  }
}

async function writeStream() {
  const options = random.pick([undefined, { flags: 'a' }, { start: 3, flags: 'r+' }, { flags: 'wx' }, { highWaterMark: 5 }, { start: -1 }, { flush: true }]);
  const target = openable();
  try {
    const stream = fs.createWriteStream(target, options);
    const events = eventsOf(stream, ['open', 'ready', 'finish', 'error', 'close']);
    const count = random.chance(10) ? kMoreThanOneCall : random.below(4);
    const repeats = count > 4 ? [1] : [1, 30, 4000];
    for (let i = 0; i < count; i++) stream.write(`chunk ${i} `.repeat(random.pick(repeats)));
    if (random.chance(15)) stream.destroy();
    else stream.end(random.chance(50) ? 'the end' : undefined);
    print(`createWriteStream (${showArgs([target, options])}) ${await events} ${stream.bytesWritten}`);
  } catch (error) {
    print(`createWriteStream (${showArgs([target, options])}) ${showError(error)}`);
  }
}

// Whether a stream can read the one while another writes the other. If both fail, or both are the same file, what
// happens depends on who is faster.
function areApart(from, to) {
  try {
    const source = fs.statSync(from);
    return source.isFile() && source.ino !== fs.statSync(to, { throwIfNoEntry: false })?.ino;
  } catch {
    return false;
  }
}

async function pipe() {
  const from = openable();
  const to = openable();
  const fromText = random.chance(50);
  try {
    const source = fromText || !areApart(from, to) ?
      Readable.from(['some ', 'text '], { objectMode: false }) : fs.createReadStream(from);
    source.on('error', () => {}); // it may fail although the other one cannot be made
    const error = await new Promise((resolve) => { pipeline(source, fs.createWriteStream(to), resolve); });
    print(`pipeline (${showArgs([from, to])}) ${error ? showError(error) : 'ok'}`);
  } catch (error) {
    print(`pipeline (${showArgs([from, to])}) ${showError(error)}`);
  }
}

async function openFolder() {
  const target = name();
  try {
    const dir = await fs.promises.opendir(target);
    const found = [];
    for await (const entry of dir) found.push(show(entry));
    print(`opendir (${showArgs([target])}) ${found.sort().join()}`);
  } catch (error) {
    print(`opendir (${showArgs([target])}) ${showError(error)}`);
  }
}

// Some at once, that do not depend on each other: all are there in the end.
async function several() {
  const count = 2 + random.below(6);
  const results = await Promise.all(Array.from({ length: count }, async (_, i) => {
    const file = `many${i}`;
    await fs.promises.writeFile(file, `content ${i}`);
    const text = await fs.promises.readFile(file, 'utf8');
    await fs.promises.unlink(file);
    return text;
  }));
  print('several', results.join());
}

function showTree(folder, indent = '') {
  for (const entry of fs.readdirSync(folder).sort()) {
    const full = path.join(folder, entry);
    const stats = fs.lstatSync(full);
    let more = '';
    if (stats.isFile()) more = show(fs.readFileSync(full));
    else if (stats.isSymbolicLink()) more = fs.readlinkSync(full);
    console.log(tidy(`${indent}${entry} ${showStats(stats)} ${more}`));
    if (stats.isDirectory()) showTree(full, `${indent}  `);
  }
}

async function program(seed) {
  console.log(`# seed ${seed}`);
  random = new Random(seed);
  lines = 0;
  fds = [];
  handles = [];
  const before = process.cwd();
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'random-files-'));
  fs.mkdirSync(path.join(root, 'work/dir/sub'), { recursive: true });
  process.chdir(path.join(root, 'work'));
  fs.mkdirSync('empty');
  fs.writeFileSync('a', 'content of a');
  fs.writeFileSync('b', '');
  fs.writeFileSync('dir/x', 'x'.repeat(10_000));
  fs.writeFileSync('é', 'accent');
  fs.symlinkSync('a', 'link');
  fs.symlinkSync('dir', 'linkdir');
  fs.symlinkSync('nowhere', 'dangling');
  fs.symlinkSync('loop', 'loop');
  execFileSync('mkfifo', ['fifo']);
  try {
    const count = 10 + random.below(25);
    for (let i = 0; i < count; i++) {
      const choice = random.below(100);
      if (choice < 50) {
        const method = random.pick(Object.keys(kOperations));
        await runOne(method, trimmed(kOperations[method]()));
      } else if (choice < 72) {
        const method = random.pick(Object.keys(kOnFds));
        await runOne(method, trimmed(kOnFds[method]()));
      } else if (choice < 80) {
        await openOne();
      } else {
        await random.pick([openFifo, closeOne, onHandle, onHandle, readStream, writeStream, pipe, openFolder, several])();
      }
    }
    console.log('left open', fds.length, handles.filter((handle) => handle.fd >= 0).length);
    for (const left of fds) fs.closeSync(left);
    for (const handle of handles) await handle.close();
    showTree('.');
  } finally {
    process.chdir(before);
    fs.rmSync(root, { recursive: true, force: true });
  }
}

(async () => {
  process.umask(0o022);
  process.removeAllListeners('warning');
  process.on('warning', () => {});
  const [first, count] = process.argv.slice(2).map(Number);
  for (let seed = first; seed < first + count; seed++) await program(seed);
})();
