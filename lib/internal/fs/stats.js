'use strict';
// fs.Stats, from the numbers that C++ gives: enum StatNumber in src/runtime/glue/stat_numbers.h.

const { StatNumber } = require('internal/native/enums');
const {
  S_IFBLK, S_IFCHR, S_IFDIR, S_IFIFO, S_IFLNK, S_IFMT, S_IFREG, S_IFSOCK,
} = binding('constants').fs;

function StatsBase() {}

function setNumbers(stats, dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks) {
  stats.dev = dev;
  stats.mode = mode;
  stats.nlink = nlink;
  stats.uid = uid;
  stats.gid = gid;
  stats.rdev = rdev;
  stats.blksize = blksize;
  stats.ino = ino;
  stats.size = size;
  stats.blocks = blocks;
}

for (const [name, type] of [
  ['isDirectory', S_IFDIR],
  ['isFile', S_IFREG],
  ['isBlockDevice', S_IFBLK],
  ['isCharacterDevice', S_IFCHR],
  ['isSymbolicLink', S_IFLNK],
  ['isFIFO', S_IFIFO],
  ['isSocket', S_IFSOCK],
]) {
  StatsBase.prototype[name] = function() {
    return this._checkModeProperty(type);
  };
}

// ---- Dates and instants, made when they are asked for ----

const kPartialNs = {
  __proto__: null,
  atime: Symbol('partialAtimeNs'),
  mtime: Symbol('partialMtimeNs'),
  ctime: Symbol('partialCtimeNs'),
  birthtime: Symbol('kPartialBirthtimeNs'),
};
const kTimes = ['atime', 'mtime', 'ctime', 'birthtime'];

function setOwn(stats, name, value) {
  Object.defineProperty(stats, name, {
    __proto__: null, configurable: true, enumerable: true, value, writable: true,
  });
  return value;
}

function defineLazy(prototype, name, make) {
  Object.defineProperty(prototype, name, {
    __proto__: null,
    enumerable: true,
    configurable: true,
    get() { return setOwn(this, name, make(this)); },
    set(value) { setOwn(this, name, value); },
  });
}

function toInstant(nanoseconds) {
  const Instant = globalThis.Temporal?.Instant;
  if (Instant === undefined) throw new (require('internal/errors').codes.ERR_NO_TEMPORAL)();
  return new Instant(nanoseconds);
}

function defineTimes(prototype, nanosecondsOf) {
  for (const name of kTimes) {
    defineLazy(prototype, name, (stats) => new Date(Math.round(Number(stats[`${name}Ms`]))));
  }
  for (const name of kTimes) {
    defineLazy(prototype, `${name}Instant`, (stats) => toInstant(nanosecondsOf(stats, name)));
  }
}

// ---- The two classes ----

function Stats(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks,
  atimeS, atimeNs, mtimeS, mtimeNs, ctimeS, ctimeNs, birthtimeS, birthtimeNs) {
  setNumbers(this, dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks);
  this.atimeMs = milliseconds(atimeS, atimeNs);
  this.mtimeMs = milliseconds(mtimeS, mtimeNs);
  this.ctimeMs = milliseconds(ctimeS, ctimeNs);
  this.birthtimeMs = milliseconds(birthtimeS, birthtimeNs);
  this[kPartialNs.atime] = atimeNs;
  this[kPartialNs.mtime] = mtimeNs;
  this[kPartialNs.ctime] = ctimeNs;
  this[kPartialNs.birthtime] = birthtimeNs;
}
Object.setPrototypeOf(Stats.prototype, StatsBase.prototype);
Object.setPrototypeOf(Stats, StatsBase);
defineTimes(Stats.prototype, (stats, name) =>
  BigInt(Math.floor(stats[`${name}Ms`] / 1000)) * 1000000000n + BigInt(stats[kPartialNs[name]]));

Stats.prototype._checkModeProperty = function(property) {
  return (this.mode & S_IFMT) === property;
};

function BigIntStats(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks,
  atimeNs, mtimeNs, ctimeNs, birthtimeNs) {
  setNumbers(this, dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks);
  this.atimeMs = atimeNs / 1000000n;
  this.mtimeMs = mtimeNs / 1000000n;
  this.ctimeMs = ctimeNs / 1000000n;
  this.birthtimeMs = birthtimeNs / 1000000n;
  this.atimeNs = atimeNs;
  this.mtimeNs = mtimeNs;
  this.ctimeNs = ctimeNs;
  this.birthtimeNs = birthtimeNs;
}
Object.setPrototypeOf(BigIntStats.prototype, StatsBase.prototype);
Object.setPrototypeOf(BigIntStats, StatsBase);
defineTimes(BigIntStats.prototype, (stats, name) => stats[`${name}Ns`]);

BigIntStats.prototype._checkModeProperty = function(property) {
  return (this.mode & BigInt(S_IFMT)) === BigInt(property);
};

function milliseconds(seconds, nanoseconds) {
  return seconds * 1000 + nanoseconds / 1e6;
}

function nanoseconds(seconds, rest) {
  return seconds * 1000000000n + rest;
}

const {
  dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks, atimeS, atimeNs, mtimeS, mtimeNs, ctimeS, ctimeNs,
  birthtimeS, birthtimeNs,
} = StatNumber;

function toStats(n) {
  if (n instanceof BigInt64Array) {
    return new BigIntStats(
      n[dev], n[mode], n[nlink], n[uid], n[gid], n[rdev], n[blksize], n[ino], n[size], n[blocks],
      nanoseconds(n[atimeS], n[atimeNs]), nanoseconds(n[mtimeS], n[mtimeNs]),
      nanoseconds(n[ctimeS], n[ctimeNs]), nanoseconds(n[birthtimeS], n[birthtimeNs]));
  }
  return new Stats(
    n[dev], n[mode], n[nlink], n[uid], n[gid], n[rdev], n[blksize], n[ino], n[size], n[blocks],
    n[atimeS], n[atimeNs], n[mtimeS], n[mtimeNs], n[ctimeS], n[ctimeNs], n[birthtimeS], n[birthtimeNs]);
}

class StatFs {
  constructor(type, bsize, frsize, blocks, bfree, bavail, files, ffree) {
    this.type = type;
    this.bsize = bsize;
    this.frsize = frsize;
    this.blocks = blocks;
    this.bfree = bfree;
    this.bavail = bavail;
    this.files = files;
    this.ffree = ffree;
  }
}

function toStatFs(numbers) {
  return new StatFs(...numbers);
}

// The type of a file, of the numbers.
function isRegular(numbers) {
  return (Number(numbers[mode]) & S_IFMT) === S_IFREG;
}

function isFolder(numbers) {
  return (Number(numbers[mode]) & S_IFMT) === S_IFDIR;
}

const kSize = size;
const kNumbers = Object.keys(StatNumber).length;

module.exports = { BigIntStats, Stats, isFolder, isRegular, kNumbers, kSize, toStatFs, toStats };
