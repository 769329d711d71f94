'use strict';
// node:path is the object for the system it runs on, and each of the two leads to the other.

const posix = require('internal/path/posix');
const win32 = require('internal/path/win32');

for (const path of [posix, win32]) {
  path.win32 = win32;
  path.posix = posix;
  path._makeLong = path.toNamespacedPath;
}

module.exports = process.platform === 'win32' ? win32 : posix;
