// docs/semantics.md and the tests agree: every rule has a test that cites it, and every citation names a rule.
//
//   rondo tests/docs/semantics_test.js
'use strict';
const assert = require('node:assert');
const { readFileSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '../..');

function readRules() {
  const rules = new Set();
  let subject = '';
  for (const line of readFileSync(join(root, 'docs/semantics.md'), 'utf8').split('\n')) {
    const heading = /^## ([A-Z]+)\b/.exec(line);
    if (heading) subject = heading[1];
    const item = /^(\d+)\. /.exec(line);
    if (!item) continue;
    const rule = `${subject}-${item[1]}`;
    assert(!rules.has(rule), `${rule} is there twice`);
    rules.add(rule);
  }
  return rules;
}

// In comments of tests/core, tests/io and tests/node.
function* readCitations(subjects) {
  const citation = new RegExp(`\\b(?:${[...subjects].join('|')})-\\d+\\b`, 'g');
  for (const folder of ['core', 'io', 'node']) {
    for (const file of readdirSync(join(root, 'tests', folder), { recursive: true })) {
      if (!/\.(cpp|js|mjs|cjs)$/.test(file) || file.includes('node_modules')) continue;
      const text = readFileSync(join(root, 'tests', folder, file), 'utf8');
      for (const [comment] of text.matchAll(/\/\/ .*$/gm)) {
        for (const [rule] of comment.matchAll(citation)) yield { rule, file: `tests/${folder}/${file}` };
      }
    }
  }
}

const rules = readRules();
assert(rules.size > 50, 'docs/semantics.md has rules');
const cited = new Set();
const wrong = [];
for (const { rule, file } of readCitations(new Set([...rules].map((rule) => rule.split('-')[0])))) {
  cited.add(rule);
  if (!rules.has(rule)) wrong.push(`${file} cites ${rule}, which docs/semantics.md does not have`);
}
for (const rule of rules) {
  if (!cited.has(rule)) wrong.push(`no test cites ${rule}`);
}
assert.deepStrictEqual(wrong, []);
console.log(`${rules.size} rules, each with a test`);
