'use strict';
// The compile cache (module.enableCompileCache, NODE_COMPILE_CACHE): code that V8 has compiled, in files, so that the
// next run need not compile it.
//
//     <directory>/rondo-<version>-<arch>-<version of V8's format and options>-<uid>/<hash of kind and name>
//
// A file is a line of text, which has the SHA-256 of the source and of the rest, and the rest: V8's bytes, or the
// JavaScript of a TypeScript file. What does not match in every respect counts as missing, and is written again.
// Files are written under another name and then renamed: no reader sees half of one.

const fs = require('fs');
const path = require('path');
const { isGranted } = require('internal/process/permission');
const state = require('internal/modules/compile_cache_state');
const native = binding('compile_cache');
const moduleWrap = binding('module_wrap');

const kMagic = 'rondo code cache 1';

let folder; // for this version and user
let isPortable = false;
let entries = new Map(); // name of the file -> entry

// NODE_DEBUG_NATIVE=COMPILE_CACHE
let isDebugging = false;

function debug(text) {
  if (isDebugging) process._rawDebug(`[compile cache] ${text}`);
}

function reasonOf(error) {
  return require('internal/errors').uvErrmapGet(error.errno)?.[1] ?? error.message;
}

// ---- Files ----

// Of a portable cache, modules are known by where they are from there.
function nameOf(filename) {
  if (!isPortable || !(filename.startsWith('/') || filename.startsWith('file:'))) return filename;
  const file = filename.startsWith('file:') ? require('internal/url').fileURLToPath(filename) : filename;
  const relative = path.relative(folder, file);
  debug(`using relative path ${relative} from ${folder}`);
  return relative;
}

function readEntry(entry) {
  const about = `reading cache from ${entry.file} for ${entry.kind} ${entry.filename}...`;
  let bytes;
  try {
    bytes = fs.readFileSync(entry.file);
  } catch (error) {
    debug(`${about} ${reasonOf(error)}`);
    return;
  }
  const end = bytes.indexOf(10);
  const [magic, sourceHash, contentHash] = bytes.toString('latin1', 0, Math.max(end, 0)).split(',');
  const content = bytes.subarray(end + 1);
  if (magic !== kMagic) debug(`${about} magic number mismatch: expected ${kMagic}`);
  else if (sourceHash !== entry.hash) debug(`${about} code hash mismatch: expected ${entry.hash}`);
  else if (contentHash !== native.digest(content)) debug(`${about} cache hash mismatch: expected ${contentHash}`);
  else {
    entry.content = content;
    debug(`${about} success, size=${content.length}`);
  }
}

function writeEntry(entry) {
  const about = `${entry.kind} ${entry.filename}`;
  if (!entry.isRefreshed) {
    debug(entry.content === undefined ?
      `skip persisting ${about} because the cache was not initialized` :
      `skip persisting ${about} because cache was the same`);
    return;
  }
  const content = entry.produce();
  if (content === undefined) return;
  const temporary = `${entry.file}.${process.pid.toString(36)}${Math.random().toString(36).slice(2, 8)}`;
  const writing = `writing cache for ${about} to temporary file ${temporary}...`;
  try {
    const head = `${kMagic},${entry.hash},${native.digest(content)}\n`;
    const { Buffer } = require('buffer');
    fs.writeFileSync(temporary, Buffer.concat([Buffer.from(head), content]), { flag: 'wx', mode: 0o600 });
    debug(`${writing}success`);
    fs.renameSync(temporary, entry.file);
    debug(`Renaming ${temporary} to ${entry.file}...success`);
  } catch (error) {
    debug(`${writing}failed: ${reasonOf(error)}`);
    try { fs.unlinkSync(temporary); } catch { /* it is not there */ }
  }
}

function find(kind, filename, source) {
  const file = path.join(folder, native.digest(`${kind}\x00${nameOf(filename)}`).slice(0, 32));
  const hash = native.digest(source);
  const known = entries.get(file);
  if (known?.hash === hash) return known;
  const entry = { kind, filename, file, hash, content: undefined, isRefreshed: false, produce: undefined };
  entries.set(file, entry);
  readEntry(entry);
  return entry;
}

function note(entry, isAccepted, produce) {
  const { content } = entry;
  const word = isAccepted ? 'accepted' : content === undefined ? 'not initialized' : 'rejected';
  const result = isAccepted ? 'keeping' : content === undefined ? 'initializing' : 'refreshing';
  debug(`V8 code cache for ${entry.kind} ${entry.filename} was ${word}, ${result} the in-memory entry`);
  if (isAccepted) return;
  entry.isRefreshed = true;
  entry.produce = produce;
}

// ---- For the loaders ----

// -> the function of a CommonJS module
function compileCommonJs(source, filename) {
  const entry = find('CommonJS', filename, source);
  const [compiled, isAccepted] = native.compileCommonJs(source, filename, entry.content);
  // At the end of the program, when what it has called is compiled too.
  note(entry, isAccepted, () => native.codeOf(compiled));
  return compiled;
}

// -> the handle of an ES module
function compileModule(source, url) {
  const entry = find('ESM', url, source);
  let handle;
  if (entry.content !== undefined) {
    handle = moduleWrap.compile(source, url, undefined, undefined, undefined, undefined, entry.content);
  }
  const isAccepted = handle !== undefined;
  handle ??= moduleWrap.compile(source, url);
  // V8 can say it only before the module runs.
  const code = isAccepted ? undefined : moduleWrap.createCachedData(handle);
  note(entry, isAccepted, () => code);
  return handle;
}

// -> JavaScript; strip() makes it of the source
function stripped(source, filename, strip) {
  const entry = find('StrippedTypeScript', filename, source);
  if (entry.content !== undefined) return entry.content.toString();
  const code = strip();
  debug(`saving transpilation cache for ${entry.kind} ${entry.filename}`);
  entry.isRefreshed = true;
  entry.produce = () => require('buffer').Buffer.from(code);
  return code;
}

// ---- For programs ----

// At the end of the program.
function persist() {
  for (const entry of entries.values()) writeEntry(entry);
  debug('Clear deserialized cache.');
  entries = new Map();
}

function flushCompileCache() {
  if (folder === undefined) return;
  debug('module.flushCompileCache() requested.');
  persist();
  debug('module.flushCompileCache() finished.');
}

function makeFolder(base) {
  const { arch, version } = process;
  const tag = `rondo-${version}-${arch}-${native.versionTag().toString(16)}-${process.getuid()}`;
  const made = path.join(base, tag);
  debug(`resolved path ${base} + ${tag} -> ${made}`);
  fs.mkdirSync(made, { recursive: true });
  debug(`creating cache directory ${made}...success`);
  return made;
}

function enable(base, portable) {
  const { FAILED, ENABLED, ALREADY_ENABLED, DISABLED } = require('module').constants.compileCacheStatus;
  if (folder !== undefined) return { status: ALREADY_ENABLED, directory: folder };
  isDebugging = (process.env.NODE_DEBUG_NATIVE ?? '').split(',')
    .some((name) => name.trim().toUpperCase() === 'COMPILE_CACHE');
  if (process.env.NODE_DISABLE_COMPILE_CACHE) {
    const message = 'Disabled by NODE_DISABLE_COMPILE_CACHE';
    debug(message);
    return { status: DISABLED, message };
  }
  const absolute = path.resolve(base);
  for (const access of ['write', 'read']) {
    if (isGranted(`fs.${access}`, absolute)) continue;
    const message = `Skipping compile cache because ${access} permission for ${absolute} is not granted`;
    debug(message);
    return { status: FAILED, message };
  }
  try {
    folder = makeFolder(absolute);
  } catch (error) {
    return { status: FAILED, message: `Cannot create cache directory: ${reasonOf(error)}` };
  }
  isPortable = portable;
  state.cache = module.exports;
  return { status: ENABLED, directory: absolute };
}

function enableCompileCache(options) {
  let { directory: base, portable } = typeof options === 'object' && options !== null ? options :
    { directory: options };
  if (base === undefined) {
    base = process.env.NODE_COMPILE_CACHE ||
      path.join(require('os').tmpdir(), 'node-compile-cache');
  }
  portable ??= process.env.NODE_COMPILE_CACHE_PORTABLE === '1';
  if (typeof base !== 'string') {
    throw Object.assign(new TypeError('cacheDir should be a string'), { code: 'ERR_INVALID_ARG_TYPE' });
  }
  return enable(base, portable === true);
}

function getCompileCacheDir() {
  return folder;
}

module.exports = {
  compileCommonJs,
  compileModule,
  enableCompileCache,
  flushCompileCache,
  getCompileCacheDir,
  persist,
  stripped,
};
