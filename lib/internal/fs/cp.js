'use strict';
// fs.cp(), fs.cpSync() and fs.promises.cp(): copies a file, or a folder with all that is in it. The algorithm is there
// once, as a generator that yields what is to be done, ['lstat', path]; cpSync() does that at once, the others later.

const {
  codes: {
    ERR_FS_CP_DIR_TO_NON_DIR, ERR_FS_CP_EEXIST, ERR_FS_CP_EINVAL, ERR_FS_CP_FIFO_PIPE, ERR_FS_CP_NON_DIR_TO_DIR,
    ERR_FS_CP_SOCKET, ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY, ERR_FS_CP_UNKNOWN, ERR_FS_EISDIR, ERR_INCOMPATIBLE_OPTION_PAIR,
    ERR_INVALID_RETURN_VALUE,
  },
} = require('internal/errors');
const { getValidatedPath } = require('internal/fs/utils');
const { isPromise } = require('internal/util/types');
const { validateBoolean, validateFunction, validateInteger, validateObject } = require('internal/validators');
const fs = require('fs');
const { dirname, isAbsolute, join, parse, resolve, sep } = require('path');

const { EEXIST, EINVAL, EISDIR, ENOTDIR } = require('os').constants.errno;

const kDefaults = {
  dereference: false, errorOnExist: false, filter: undefined, force: true, preserveTimestamps: false, recursive: false,
  verbatimSymlinks: false,
};
const kFlags = [
  'dereference', 'errorOnExist', 'force', 'preserveTimestamps', 'recursive', 'verbatimSymlinks',
];

function validateOptions(options) {
  if (options === undefined) return { ...kDefaults, mode: 0 };
  validateObject(options, 'options');
  options = { ...kDefaults, ...options };
  for (const name of kFlags) validateBoolean(options[name], `options.${name}`);
  options.mode ??= 0;
  validateInteger(options.mode, 'mode', 0, 7);
  if (options.dereference && options.verbatimSymlinks) {
    throw new ERR_INCOMPATIBLE_OPTION_PAIR('dereference', 'verbatimSymlinks');
  }
  if (options.filter !== undefined) validateFunction(options.filter, 'options.filter');
  return options;
}

// ---- Errors ----------------------------------------------------------------------------------

function fail(Class, message, path, errno, code) {
  throw new Class({ message, path, syscall: 'cp', errno, code });
}

function failIntoItself(source, target, path) {
  fail(ERR_FS_CP_EINVAL, `cannot copy ${source} to a subdirectory of self ${target}`, path, EINVAL, 'EINVAL');
}

function failExists(target) {
  fail(ERR_FS_CP_EEXIST, `${target} already exists`, target, EEXIST, 'EEXIST');
}

function failSpecial(stats, target) {
  const [Class, what] = stats.isSocket() ? [ERR_FS_CP_SOCKET, 'a socket file'] :
    stats.isFIFO() ? [ERR_FS_CP_FIFO_PIPE, 'a FIFO pipe'] : [ERR_FS_CP_UNKNOWN, 'an unknown file type'];
  fail(Class, `cannot copy ${what}: ${target}`, target, EINVAL, 'EINVAL');
}

// What cpSync() finds before it begins has no more than a code.
function failPlainly(code, message) {
  const error = new Error(message);
  error.code = code;
  throw error;
}

// ---- Questions -------------------------------------------------------------------------------

function isSame(one, other) {
  return Boolean(other.ino && other.dev) && other.ino === one.ino && other.dev === one.dev;
}

function partsOf(path) {
  return resolve(path).split(sep).filter(Boolean);
}

// By its name.
function isInside(folder, path) {
  const parts = partsOf(path);
  return partsOf(folder).every((part, index) => parts[index] === part);
}

function* statIfThere(method, path) {
  try {
    return yield [method, path, { bigint: true }];
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  }
}

// ---- The algorithm ---------------------------------------------------------------------------

// Returns the stats of the target, null if nothing is left to copy, undefined if there is no target.
function* check(source, target, options) {
  if (options.filter !== undefined && !(yield ['filter', source, target])) return null;
  const method = options.dereference ? 'stat' : 'lstat';
  const sourceStats = yield [method, source, { bigint: true }];
  const targetStats = yield* statIfThere(method, target);
  if (targetStats !== undefined) {
    if (isSame(sourceStats, targetStats)) {
      fail(ERR_FS_CP_EINVAL, 'src and dest cannot be the same', target, EINVAL, 'EINVAL');
    }
    if (sourceStats.isDirectory() && !targetStats.isDirectory()) {
      fail(ERR_FS_CP_DIR_TO_NON_DIR, `cannot overwrite non-directory ${target} with directory ${source}`,
        target, EISDIR, 'EISDIR');
    }
    if (!sourceStats.isDirectory() && targetStats.isDirectory()) {
      fail(ERR_FS_CP_NON_DIR_TO_DIR, `cannot overwrite directory ${target} with non-directory ${source}`,
        target, ENOTDIR, 'ENOTDIR');
    }
  }
  if (sourceStats.isDirectory() && isInside(source, target)) failIntoItself(source, target, target);
  return targetStats;
}

// That no folder above the target is the source, by whatever name.
function* checkParents(source, target) {
  const stats = yield ['stat', source, { bigint: true }];
  const end = resolve(dirname(source));
  for (let path = target; ;) {
    const parent = resolve(dirname(path));
    if (parent === end || parent === parse(parent).root) return;
    const parentStats = yield* statIfThere('stat', parent);
    if (parentStats === undefined) return;
    if (isSame(stats, parentStats)) failIntoItself(source, path, path);
    path = parent;
  }
}

function* copyAny(source, target, targetStats, options) {
  const stats = yield [options.dereference ? 'stat' : 'lstat', source];
  if (stats.isDirectory()) {
    if (!options.recursive) {
      fail(ERR_FS_EISDIR, `${source} is a directory (not copied)`, source, EISDIR, 'EISDIR');
    }
    yield* copyFolder(source, stats, target, targetStats, options);
  } else if (stats.isFile() || stats.isCharacterDevice() || stats.isBlockDevice()) {
    yield* copyFile(source, stats, target, targetStats, options);
  } else if (stats.isSymbolicLink()) {
    yield* copyLink(source, target, targetStats, options);
  } else {
    failSpecial(stats, target);
  }
}

function* copyFile(source, { mode }, target, targetStats, options) {
  if (targetStats) {
    if (options.force) {
      yield ['unlink', target];
    } else {
      if (options.errorOnExist) failExists(target);
      return;
    }
  }
  yield ['copyFile', source, target, options.mode];
  if (options.preserveTimestamps) {
    // Its times can be set only if it can be written to.
    if ((mode & 0o200) === 0) yield ['chmod', target, mode | 0o200];
    yield* copyTimes(source, target);
  }
  yield ['chmod', target, mode];
}

// Looked at again: reading it has changed the time of the last access.
function* copyTimes(source, target) {
  const { atime, mtime } = yield ['stat', source];
  yield ['utimes', target, atime, mtime];
}

function* copyFolder(source, { mode }, target, targetStats, options) {
  if (!targetStats) yield ['mkdir', target];
  else if (options.errorOnExist && !options.force) failExists(target);
  for (const name of yield ['readdir', source]) {
    const from = join(source, name);
    const to = join(target, name);
    const toStats = yield* check(from, to, options);
    if (toStats !== null) yield* copyAny(from, to, toStats, options);
  }
  if (options.preserveTimestamps) yield* copyTimes(source, target);
  if (!targetStats) yield ['chmod', target, mode];
}

function* copyLink(source, target, targetStats, options) {
  let leadsTo = yield ['readlink', source];
  if (!options.verbatimSymlinks && !isAbsolute(leadsTo)) leadsTo = resolve(dirname(source), leadsTo);
  if (!targetStats) {
    yield ['symlink', leadsTo, target];
    return;
  }
  let replaced;
  try {
    replaced = yield ['readlink', target];
  } catch (error) {
    if (error.code !== 'EINVAL') throw error;
    yield ['symlink', leadsTo, target]; // it is no link: says that it exists
    return;
  }
  if (!isAbsolute(replaced)) replaced = resolve(dirname(target), replaced);
  const isFolder = (yield* statIfThere('stat', source))?.isDirectory();
  if (isFolder && isInside(leadsTo, replaced)) failIntoItself(leadsTo, replaced, target);
  // The link would lead into what is removed with the other one.
  if ((yield ['stat', options.isSync ? target : source]).isDirectory() && isInside(replaced, leadsTo)) {
    fail(ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY, `cannot overwrite ${replaced} with ${leadsTo}`,
      target, EINVAL, 'EINVAL');
  }
  yield ['unlink', target];
  yield ['symlink', leadsTo, target];
}

function* copy(source, target, options) {
  if (options.isSync) {
    const { check: checkPermission } = require('internal/process/permission');
    checkPermission('fs.read', source);
    checkPermission('fs.write', target);
  }
  const targetStats = yield* check(source, target, options);
  if (targetStats === null) return;
  yield* checkParents(source, target);
  // One that is there is not to be made: with --permission that could be denied.
  const parent = dirname(target);
  if (options.isSync || !(yield* statIfThere('stat', parent))) yield ['mkdir', parent, { recursive: true }];
  yield* copyAny(source, target, targetStats, options);
}

// ---- Later -----------------------------------------------------------------------------------

async function copyLater(source, target, options) {
  const steps = copy(source, target, options);
  let step = steps.next();
  while (!step.done) {
    const [method, ...args] = step.value;
    let result;
    try {
      result = await (method === 'filter' ? options.filter(...args) : fs.promises[method](...args));
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(result);
  }
}

async function promisedCp(source, target, options) {
  options = validateOptions(options);
  await copyLater(getValidatedPath(source, 'src'), getValidatedPath(target, 'dest'), options);
}

function cp(source, target, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  validateFunction(callback, 'cb');
  options = validateOptions(options);
  source = getValidatedPath(source, 'src');
  target = getValidatedPath(target, 'dest');
  // Not within the promise: what the callback throws is an uncaught exception.
  copyLater(source, target, options).then(
    () => process.nextTick(callback, null), (error) => process.nextTick(callback, error));
}

// ---- At once ---------------------------------------------------------------------------------

function passes(source, target, { filter }) {
  if (filter === undefined) return true;
  const result = filter(source, target);
  if (isPromise(result)) throw new ERR_INVALID_RETURN_VALUE('boolean', 'filter', result);
  return result;
}

// The same questions as check() and checkParents(), in Node's other words.
function checkNow(source, target, { dereference, recursive }) {
  const { check } = require('internal/process/permission');
  check('fs.read', `${source}`);
  check('fs.write', `${target}`);
  const stats = dereference ? fs.lstatSync(source) : statAsLstat(source);
  const found = fs[dereference ? 'statSync' : 'lstatSync'](target, { throwIfNoEntry: false });
  const isFolder = stats.isDirectory() || (dereference && stats.isSymbolicLink());
  if (found !== undefined) {
    const other = fs.statSync(target, { throwIfNoEntry: false });
    if (other !== undefined && isSame(fs.statSync(source), other)) {
      failPlainly('ERR_FS_CP_EINVAL', `src and dest cannot be the same ${target}`);
    }
    if (isFolder && !found.isDirectory()) {
      failPlainly('ERR_FS_CP_DIR_TO_NON_DIR', `Cannot overwrite non-directory ${target} with directory ${source}`);
    }
    if (!isFolder && found.isDirectory()) {
      failPlainly('ERR_FS_CP_NON_DIR_TO_DIR', `Cannot overwrite directory ${target} with non-directory ${source}`);
    }
  }
  const folder = `${source}`.endsWith(sep) ? source : source + sep;
  const isBelow = isFolder && `${target}`.startsWith(folder);
  if (isBelow || hasAbove(source, target)) {
    failPlainly('ERR_FS_CP_EINVAL', `Cannot copy ${folder} to a subdirectory of self ${target}`);
  }
  if (isFolder && !recursive) {
    failPlainly('ERR_FS_EISDIR', `Recursive option not enabled, cannot copy a directory: ${folder}`);
  }
  if (stats.isSocket()) failPlainly('ERR_FS_CP_SOCKET', `Cannot copy a socket file: ${target}`);
  if (stats.isFIFO()) failPlainly('ERR_FS_CP_FIFO_PIPE', `Cannot copy a FIFO pipe: ${target}`);
  fs.mkdirSync(dirname(target), { recursive: true });
}

function statAsLstat(path) {
  try {
    return fs.statSync(path);
  } catch (error) {
    error.message = error.message.replace(/, stat /, ', lstat ');
    error.syscall = 'lstat';
    throw error;
  }
}

function hasAbove(source, target) {
  try {
    runNow(checkParents(source, target), {});
    return false;
  } catch (error) {
    if (error.code === 'ERR_FS_CP_EINVAL') return true;
    throw error;
  }
}

function runNow(steps, options) {
  let step = steps.next();
  while (!step.done) {
    const [method, ...args] = step.value;
    let result;
    try {
      result = method === 'filter' ? passes(...args, options) : fs[`${method}Sync`](...args);
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(result);
  }
}

// A folder without a filter: what is neither file, folder nor link is left out, and folders get the usual mode.
function copyTreeNow(source, target, options) {
  fs.mkdirSync(target, { recursive: true });
  for (const entry of fs.readdirSync(source, { withFileTypes: true })) {
    const from = join(source, entry.name);
    const to = join(target, entry.name);
    if (entry.isSymbolicLink()) copyTreeLinkNow(from, to, options);
    else if (entry.isDirectory()) copyTreeNow(from, to, options);
    else if (entry.isFile()) copyTreeFileNow(from, to, options);
  }
}

function copyTreeFileNow(source, target, { force, errorOnExist, preserveTimestamps }) {
  if (!force && fs.lstatSync(target, { throwIfNoEntry: false }) !== undefined) {
    if (!errorOnExist) return;
    failPlainly('ERR_FS_CP_EEXIST',
      `[ERR_FS_CP_EEXIST]: Target already exists: cp returned EEXIST (${target} already exists)`);
  }
  fs.copyFileSync(source, target);
  if (preserveTimestamps) runNow(copyTimes(source, target), {});
}

function copyTreeLinkNow(source, target, options) {
  const { dereference, errorOnExist, force, verbatimSymlinks } = options;
  const leadsTo = fs.readlinkSync(source);
  if (verbatimSymlinks) {
    fs.symlinkSync(leadsTo, target);
    return;
  }
  const found = fs.existsSync(target) ? fs.lstatSync(target) : undefined;
  if (found?.isSymbolicLink()) {
    const replaced = fs.readlinkSync(target);
    const isFolder = (path) => fs.statSync(path, { throwIfNoEntry: false })?.isDirectory();
    if (!dereference && isFolder(leadsTo) && isInside(leadsTo, replaced)) {
      failPlainly('ERR_FS_CP_EINVAL', `Cannot copy ${leadsTo} to a subdirectory of self ${replaced}`);
    }
    if (isFolder(target) && isInside(replaced, leadsTo)) {
      failPlainly('ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY', `cannot overwrite ${replaced} with ${leadsTo}`);
    }
    fs.unlinkSync(target);
  } else if (found?.isFile() && dereference && (force || !errorOnExist)) {
    fs.unlinkSync(target);
  }
  fs.symlinkSync(resolve(dirname(source), leadsTo), target);
}

function cpSync(source, target, options) {
  options = validateOptions(options);
  options.isSync = true;
  source = getValidatedPath(source, 'src');
  target = getValidatedPath(target, 'dest');
  if (!passes(source, target, options)) return;
  checkNow(source, target, options);
  const method = options.dereference ? 'statSync' : 'lstatSync';
  const stats = fs[method](source);
  const targetStats = fs[method](target, { bigint: true, throwIfNoEntry: false });
  if (!stats.isDirectory() || options.filter !== undefined) {
    runNow(copyAny(source, target, targetStats, options), options);
    return;
  }
  if (targetStats !== undefined && options.errorOnExist && !options.force) failExists(target);
  copyTreeNow(source, target, options);
}

module.exports = { cp, cpSync, promisedCp };
