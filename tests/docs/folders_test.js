// Every folder of src/, lib/ and include/ has a line of purpose in src/README.md or lib/README.md, and few enough files to be read as a list.
// The files that these name exist, and those that lib/ requires.
'use strict';
const assert = require('node:assert');
const { existsSync, readFileSync, readdirSync } = require('node:fs');
const { dirname, join } = require('node:path');

const root = join(__dirname, '../..');
const read = (path) => readFileSync(join(root, path), 'utf8');
const kMostFiles = 25;
// Their names are given: what users include, what programs require.
const flat = new Set(['include/rondo', 'lib']);

const described = new Set();
for (const [page, prefix] of [['src/README.md', 'src'], ['lib/README.md', 'lib/internal']]) {
  // The folders of a table whose heading names another: | folder of `runtime/` |.
  let base = prefix;
  for (const line of read(page).split('\n')) {
    const heading = /^\| folder(?: of `([\w/]+)\/`)? \|/.exec(line);
    if (heading !== null) base = heading[1] === undefined ? prefix : join(prefix, heading[1]);
    if (!line.startsWith('| `')) continue;
    for (const [, name] of line.split(' | ')[0].matchAll(/`([\w./]+)\/`/g)) described.add(join(base, name));
    // `bindings/`: its areas are in the description.
    if (line.startsWith('| `bindings/`')) {
      for (const [, name] of line.split(' | ')[1].matchAll(/`(\w+)\/`/g)) described.add(join(base, 'bindings', name));
    }
  }
}

const wrong = [];
let folders = 0;
const pending = ['src', 'lib/internal', 'include/rondo'];
while (pending.length > 0) {
  const folder = pending.pop();
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) pending.push(`${folder}/${entry.name}`);
  const files = entries.filter((entry) => !entry.isDirectory() && /\.(?:h|cpp|js)$/.test(entry.name)).length;
  if (files === 0 && folder !== 'src/runtime') continue;
  ++folders;
  if (files > kMostFiles && !flat.has(folder)) wrong.push(`${folder} has ${files} files`);
  if (!described.has(folder) && folder !== 'lib/internal' && !folder.startsWith('include/rondo/')) wrong.push(`${folder} is in no README`);
}

// Of the tables of files, each name, with or without its end: that of another folder, or one beside the name before it.
let named = 0;
const exists = (path) => ['', '.h', '.cpp', '.js'].some((end) => existsSync(join(root, path + end)));
for (const [page, base] of [['src/README.md', 'src'], ['lib/README.md', 'lib/internal']]) {
  for (const [table] of read(page).matchAll(/^\| file \|(?:.*\n\|)+/gm)) {
    for (const row of table.split('\n').slice(2)) {
      let folder = base;
      for (const [, name] of row.split(' | ')[0].matchAll(/`([\w./*]+)`/g)) {
        ++named;
        if (name.includes('*')) continue;
        if (exists(join(folder, name))) folder = dirname(join(folder, name));
        else if (exists(join(base, name))) folder = dirname(join(base, name));
        else wrong.push(`${page}: ${name} does not exist`);
      }
    }
  }
}

let required = 0;
for (const name of readdirSync(join(root, 'lib'), { recursive: true })) {
  if (!name.endsWith('.js')) continue;
  for (const [, id] of read(`lib/${name}`).matchAll(/^[^/\n]*\brequire\('(internal\/[\w/-]+)'\)/gm)) {
    ++required;
    if (id === 'internal/native/enums') continue; // the build writes it
    if (!existsSync(join(root, `lib/${id}.js`)) && !existsSync(join(root, `build/streams/${id}.js`))) {
      wrong.push(`lib/${name} requires ${id}, which does not exist`);
    }
  }
}
// C++ names some of them as well: "internal/errors/dom_exception".
for (const name of readdirSync(join(root, 'src'), { recursive: true })) {
  if (!/\.(?:h|cpp)$/.test(name)) continue;
  for (const [, prefix, id] of read(`src/${name}`).matchAll(/"(node:)?(internal\/[a-z_/0-9]*[a-z_0-9])"/g)) {
    ++required;
    if (!existsSync(join(root, `lib/${id}.js`)) && !existsSync(join(root, `build/streams/${id}.js`))) {
      wrong.push(`src/${name} names ${prefix ?? ''}${id}, which does not exist`);
    }
  }
}
assert.deepStrictEqual(wrong, []);
console.log(`${folders} folders, ${named} files, ${required} requires`);
