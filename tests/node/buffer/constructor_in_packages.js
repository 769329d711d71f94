'use strict';
// Code of packages is not warned of `new Buffer()`, whatever separators its path has.
const vm = require('node:vm');
const { spawnSync } = require('node:child_process');

if (process.argv[2] !== undefined) {
  vm.runInNewContext('new Buffer(10)', { Buffer }, { filename: process.argv[2] });
} else {
  for (const name of ['foo', 'foo/node_modules/x.js', '\\node_modules\\x', '/node_modules\\x', 'c:\\a\\node_modules\\b',
    'file:///node_modules/x', 'node_modules/x', '/node_modules', '/my_node_modules/x']) {
    const { stderr } = spawnSync(process.execPath, [__filename, name], { encoding: 'utf8' });
    console.log(name, stderr.includes('DEP0005'));
  }
}
