// docs/architecture.md names files and, after each, functions in it. All of them exist.
'use strict';
const assert = require('node:assert');
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '../..');
const steps = readFileSync(join(root, 'docs/architecture.md'), 'utf8').match(/^\d+\. .*(?:\n {3}.*)*/gm);
assert(steps.length > 30, 'docs/architecture.md has steps');

const wrong = [];
let names = 0;
for (const step of steps) {
  let file;
  let text;
  for (const [, code] of step.matchAll(/`([^`]+)`/g)) {
    if (/^(?:src|lib|include)\/.*\.\w+$/.test(code)) {
      file = code;
      if (existsSync(join(root, file))) text = readFileSync(join(root, file), 'utf8');
      else wrong.push(`${file} does not exist`);
    } else if (code.endsWith('()') && !code.includes('.')) {
      ++names;
      const name = code.slice(0, -2);
      if (!new RegExp(`\\b${name}\\b`).test(text)) wrong.push(`${file} has no ${code}`);
    }
  }
}
assert.deepStrictEqual(wrong, []);
console.log(`${steps.length} steps, ${names} functions`);
