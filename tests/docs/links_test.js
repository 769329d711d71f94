// Links of README and docs lead to files and headings that exist; so do the names of files in comments.
'use strict';
const assert = require('node:assert');
const { existsSync, readFileSync, readdirSync } = require('node:fs');
const { dirname, join } = require('node:path');

const root = join(__dirname, '../..');
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
  'src/README.md', 'lib/README.md',
];

const read = (page) => readFileSync(join(root, page), 'utf8');

// As GitHub makes them.
function anchorsOf(page) {
  const headings = read(page).replace(/^```.*?^```/gms, '').matchAll(/^#+ (.*)$/gm);
  return new Set([...headings].map(([, text]) => (
    text.toLowerCase().replace(/[^\w\- ]/g, '').replaceAll(' ', '-')
  )));
}

const wrong = [];
let links = 0;
for (const page of pages) {
  const text = read(page).replace(/^```.*?^```/gms, '');
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/(?:src|srcset|href)="([^"]+)"/g)];
  for (const [, target] of targets) {
    if (/^[a-z]+:/.test(target)) continue;
    ++links;
    const [file, anchor] = target.split('#');
    const path = file === '' ? page : join(dirname(page), file);
    if (!existsSync(join(root, path))) wrong.push(`${page}: ${target} does not exist`);
    else if (anchor !== undefined && !anchorsOf(path).has(anchor)) wrong.push(`${page}: ${target} has no such heading`);
  }
  // Pages are also named in plain code: `docs/lens.md`.
  for (const [, target] of text.matchAll(/`((?:docs|src|lib|tests|scripts|bench|cmake|examples)\/[\w/.-]+\.(?:md|sh|js|cpp|h|cmake))`/g)) {
    ++links;
    if (!/NAME|AREA/.test(target) && !existsSync(join(root, target))) wrong.push(`${page}: ${target} does not exist`);
  }
}

// Comments in the sources name files as well.
for (const folder of ['src', 'lib', 'include', 'cmake']) {
  for (const name of readdirSync(join(root, folder), { recursive: true })) {
    if (!/\.(?:h|cpp|js|cmake)$/.test(name)) continue;
    for (const [comment] of read(`${folder}/${name}`).matchAll(/^ *(?:\/\/|#) .*$/gm)) {
      for (const [target] of comment.matchAll(/\b(?:src|lib|docs|tests|scripts)\/[\w/-]+\.(?:h|cpp|js|md|sh)\b/g)) {
        ++links;
        if (!existsSync(join(root, target))) wrong.push(`${folder}/${name}: ${target} does not exist`);
      }
    }
  }
}
assert.deepStrictEqual(wrong, []);
console.log(`${pages.length} pages, ${links} links`);
