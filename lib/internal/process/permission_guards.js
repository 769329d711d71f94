'use strict';
// The checks before the functions of C++ that work on files, under --permission.

const { complete } = require('internal/native/requests');

const R = ['fs.read'];
const W = ['fs.write'];
const RW = ['fs.read', 'fs.write'];

// Which permissions each argument takes, by method of binding('fs').
const files = {
  __proto__: null,
  access: [R],
  chmod: [W],
  chown: [W],
  copyFile: [R, W],
  exists: [R],
  lchown: [W],
  link: [RW, W],
  lutimes: [W],
  mkdir: [W],
  opendir: [R],
  readFile: [R],
  readdir: [R],
  readlink: [R],
  realpath: [R],
  removeAll: [W],
  rename: [RW, W],
  rmdir: [W],
  stat: [R],
  statfs: [R],
  unlink: [W],
  utimes: [W],
  writeFile: [W],
};

// Those that throw, also where they call back: as in Node.
const throwing = new Set(['chmod', 'lutimes', 'mkdir', 'readlink', 'rmdir', 'utimes']);

// Of a descriptor there is no path to ask for.
const withoutPath = ['fchmod', 'fchown', 'fdatasync', 'fsync', 'futimes'];

const O_ACCMODE = 3;
const O_WRONLY = 1;
const kWritesToo = 0o100 | 0o1000 | 0o2000; // O_CREAT, O_TRUNC, O_APPEND

function scopesOfFlags(flags) {
  const scopes = [];
  if ((flags & O_ACCMODE) !== O_WRONLY) scopes.push('fs.read');
  if ((flags & O_ACCMODE) !== 0 || (flags & kWritesToo) !== 0) scopes.push('fs.write');
  return scopes;
}

function textOf(path) {
  return typeof path === 'string' ? path : require('buffer').Buffer.from(path).toString();
}

// The first denial of a list of [scopes, path].
function firstDenial(denial, questions) {
  for (const [scopes, file] of questions) {
    if (typeof file === 'number') continue;
    for (const scope of scopes) {
      const error = denial(scope, textOf(file));
      if (error !== undefined) return error;
    }
  }
  return undefined;
}

// Replaces a method: (requests, number, ...args), where `requests` is undefined for what is done at once.
function guard(native, method, findDenial) {
  const own = native[method];
  native[method] = function(requests, number, ...args) {
    const error = findDenial(args, requests === undefined);
    if (error === undefined) return Reflect.apply(own, native, [requests, number, ...args]);
    if (requests === undefined || throwing.has(method)) throw error;
    complete(number, error, undefined);
    return undefined;
  };
}

function install({ check, denial, isGranted, lstatDenial }) {
  const fs = binding('fs');
  for (const method of Object.keys(files)) {
    guard(fs, method, (args) => firstDenial(denial, files[method].map((scopes, index) => [scopes, args[index]])));
  }
  const { ERR_ACCESS_DENIED } = require('internal/errors').codes;
  // What a link is about is not known when it is followed.
  guard(fs, 'symlink', ([target, link]) => (isGranted('fs') ? firstDenial(denial, [[RW, target], [W, link]]) :
    new ERR_ACCESS_DENIED('fs.symlink API requires full fs.read and fs.write permissions.')));
  guard(fs, 'lstat', ([file], isNow) => (isNow ? undefined : lstatDenial(file))); // lib/ uses it itself
  guard(fs, 'mkdtemp', ([prefix]) => firstDenial(denial, [[W, `${prefix}XXXXXX`]]));
  guard(fs, 'open', ([file, flags]) => firstDenial(denial, [[scopesOfFlags(flags), file]]));
  for (const method of withoutPath) {
    guard(fs, method, () => new ERR_ACCESS_DENIED(`${method} API is disabled when Permission Model is enabled.`));
  }

  const sync = binding('fs_sync');
  const { readFile, stat } = sync;
  sync.stat = (file, ...rest) => {
    check('fs.read', textOf(file));
    return stat(file, ...rest);
  };
  sync.readFile = (file, flags, ...rest) => {
    const error = firstDenial(denial, [[scopesOfFlags(flags), file]]);
    if (error !== undefined) throw error;
    return readFile(file, flags, ...rest);
  };
}

module.exports = { install };
