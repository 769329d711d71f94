// require() reads files by fs.readFileSync() and fs.realpathSync(), which programs replace: file systems in memory, mocks.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const { readFileSync, realpathSync } = fs;
const folder = path.join(__dirname, 'fixtures');
fs.readFileSync = (file, ...rest) => {
  console.log('read', path.basename(file), rest);
  if (file.endsWith('.json')) return '{ "virtual": true }';
  return `module.exports = 'virtual ' + ${JSON.stringify(path.basename(file))};`;
};
fs.realpathSync = (file) => {
  console.log('realpath', path.basename(file));
  return file;
};
console.log(require(path.join(folder, 'replaced.js')));
console.log(require(path.join(folder, 'replaced.json')));
Object.assign(fs, { readFileSync, realpathSync });
console.log(require(path.join(folder, 'replaced_later.js')));
