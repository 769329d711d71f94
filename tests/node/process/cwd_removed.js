// rondo-test: scratch
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const dir = process.cwd();
fs.mkdirSync('gone');
process.chdir('gone');
fs.rmdirSync(path.join(dir, 'gone'));
for (const use of [() => process.cwd(), () => path.resolve('x')]) {
  try {
    console.log(use());
  } catch (error) {
    console.log(error.name, { ...error }, error.message);
  }
}
process.chdir(dir);
console.log(process.cwd() === dir);
