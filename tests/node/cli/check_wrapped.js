// rondo-test: scratch
'use strict';
// -c with a preloaded module that replaces the wrapper of CommonJS: the source is checked in that one.
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');

fs.writeFileSync('without.js', "require('module').wrapper = ['', ''];\n");
fs.writeFileSync('around.js', "const Module = require('module'); const { wrap } = Module; Module.wrap = (text) => `function* made() { ${text}\\n}`;\n");
fs.writeFileSync('returns.js', "if (true) {\n  return console.log('ran');\n}\n");
fs.writeFileSync('yields.js', "const x = yield 1;\n");
for (const preload of [[], ['-r', './without.js'], ['-r', './around.js']]) {
  for (const file of ['returns.js', 'yields.js']) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...preload, '-c', file], { encoding: 'utf8' });
    console.log(preload.join(' '), file, status, stdout, stderr.split('\n').filter((line) => line.startsWith('SyntaxError')).join());
  }
}
