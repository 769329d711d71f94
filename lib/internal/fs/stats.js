'use strict';
// fs.Stats, from the numbers that C++ gives: dev, mode, nlink, uid, gid, rdev, blksize, ino, size,
// blocks, and seconds and nanoseconds of atime, mtime, ctime and birthtime.

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

function toDate(ms) {
  return new Date(Math.round(Number(ms)));
}

function addDates(stats) {
  stats.atime = toDate(stats.atimeMs);
  stats.mtime = toDate(stats.mtimeMs);
  stats.ctime = toDate(stats.ctimeMs);
  stats.birthtime = toDate(stats.birthtimeMs);
}

function Stats(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks,
  atimeMs, mtimeMs, ctimeMs, birthtimeMs) {
  setNumbers(this, dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks);
  this.atimeMs = atimeMs;
  this.mtimeMs = mtimeMs;
  this.ctimeMs = ctimeMs;
  this.birthtimeMs = birthtimeMs;
  addDates(this);
}
Object.setPrototypeOf(Stats.prototype, StatsBase.prototype);
Object.setPrototypeOf(Stats, StatsBase);

Stats.prototype.isFile = StatsBase.prototype.isFile;
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
  addDates(this);
}
Object.setPrototypeOf(BigIntStats.prototype, StatsBase.prototype);
Object.setPrototypeOf(BigIntStats, StatsBase);

BigIntStats.prototype._checkModeProperty = function(property) {
  return (this.mode & BigInt(S_IFMT)) === BigInt(property);
};

function milliseconds(seconds, nanoseconds) {
  return seconds * 1000 + nanoseconds / 1e6;
}

function nanoseconds(seconds, rest) {
  return seconds * 1000000000n + rest;
}

function toStats(n) {
  if (n instanceof BigInt64Array) {
    return new BigIntStats(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9],
      nanoseconds(n[10], n[11]), nanoseconds(n[12], n[13]),
      nanoseconds(n[14], n[15]), nanoseconds(n[16], n[17]));
  }
  return new Stats(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9],
    milliseconds(n[10], n[11]), milliseconds(n[12], n[13]),
    milliseconds(n[14], n[15]), milliseconds(n[16], n[17]));
}

class StatFs {
  constructor(type, bsize, blocks, bfree, bavail, files, ffree) {
    this.type = type;
    this.bsize = bsize;
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
  return (Number(numbers[1]) & S_IFMT) === S_IFREG;
}

function isFolder(numbers) {
  return (Number(numbers[1]) & S_IFMT) === S_IFDIR;
}

const kSize = 8; // where the size is
const kNumbers = 18;

module.exports = { BigIntStats, Stats, isFolder, isRegular, kNumbers, kSize, toStatFs, toStats };
