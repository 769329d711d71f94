'use strict';
// Files as loading modules sees them: is there one, and what is its real name.

const fs = require('fs');
const { realPath, stat: nativeStat } = binding('modules');

const { realpathSync } = fs;

// 0: a file, 1: a folder, 2 and 3: links to such, negative: nothing. Users may put another
// function here (Module._stat).
let stat = nativeStat;

function getStat() {
  return stat;
}

function setStat(replacement) {
  stat = replacement;
}

const options = { preserveSymlinks: false, preserveSymlinksMain: false };

// folder -> the same without symbolic links; null if it has none
const realFolders = new Map();

function realFolder(folder) {
  let real = realFolders.get(folder);
  if (real === undefined) {
    real = realPath(folder === '' ? '/' : folder);
    if (typeof real !== 'string') return null;
    if (real === '/') real = '';
    if (real === folder) real = null;
    realFolders.set(folder, real);
  }
  return real;
}

// The real path of a file. `kind` is the result of stat().
function toRealPath(path, kind) {
  if (kind < 2) {
    const slash = path.lastIndexOf('/');
    const folder = realFolder(path.slice(0, slash));
    return folder === null ? path : folder + path.slice(slash);
  }
  const real = realPath(path);
  return typeof real === 'string' ? real : path;
}

// The path under which a file is loaded; false if there is no such file.
function tryFile(path, isMain) {
  const kind = stat(path);
  if (kind !== 0 && kind !== 2) return false;
  if (isMain ? options.preserveSymlinksMain : options.preserveSymlinks) {
    return require('path').resolve(path);
  }
  // A program may have replaced it: file systems in memory and mocks do.
  return fs.realpathSync === realpathSync ? toRealPath(path, kind) : fs.realpathSync(path);
}

function isFolder(path) {
  const kind = stat(path);
  return kind === 1 || kind === 3;
}

module.exports = { getStat, isFolder, options, setStat, toRealPath, tryFile };
