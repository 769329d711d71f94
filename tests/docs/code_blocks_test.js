// Every block of C++ in README and docs compiles, every block of JavaScript parses, and a script of the README prints what
// the README says. (What docs/event-loop.md shows is run by tests/lens/event_loop_doc_test.js.)
'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const { readFileSync, readdirSync, writeFileSync, mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const vm = require('node:vm');

const root = join(__dirname, '../..');
const pages = ['README.md', 'CONTRIBUTING.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)]
  .filter((page) => page.endsWith('.md'));
const folder = mkdtempSync(join(tmpdir(), 'code-blocks-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

function blocksOf(page, language) {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^```(\w+)( \S+)?\n(.*?)^```$/gms)]
    // A block that is marked as a fragment is part of a larger whole.
    .filter(([, found, mark]) => found === language && mark !== ' fragment')
    .map(({ 3: code, index }) => ({ page, line: text.slice(0, index).split('\n').length + 1, code }));
}

// ---- C++ ----

// Functions stay where they are; the statements of a fragment become a function of their own.
function toNamespace({ page, line, code }, number) {
  const outside = [];
  const inside = [];
  const where = (offset) => `#line ${line + offset} "${page}"`;
  let isFunction = false;
  for (const [offset, given] of code.split('\n').entries()) {
    const statement = given.replace('{ ... }', '{}').replace(/\) \.\.\.$/, ') {}');
    isFunction ||= /^(?!for|if|while|switch)[\w:<>]+ \w+\([^[]*\) \{/.test(statement);
    const isOutside = isFunction || /^(?:namespace|using) /.test(statement);
    if (!/^#include/.test(statement)) (isOutside ? outside : inside).push(where(offset), statement);
    if (statement === '}') isFunction = false;
  }
  const body = inside.join('\n');
  // What a fragment returns, and its last line.
  let [type, end] = ['int', 'return 0;'];
  if (/\bco_return \w/.test(body)) [type, end] = ['Async<std::error_code>', 'co_return std::error_code();'];
  else if (/^[^/]*\bco_await\b/m.test(body)) [type, end] = ['Async<>', ''];
  return [
    `namespace block_${number} {`, 'using namespace rondo;', 'extern TcpSocket& socket;', ...outside,
    `${type} fragment() {`, body, end, '}', '}',
  ].join('\n');
}

function compile() {
  const blocks = pages.flatMap((page) => blocksOf(page, 'cpp'));
  assert(blocks.length > 15, 'the documents have blocks of C++');
  const source = join(folder, 'blocks.cpp');
  const headers = readdirSync(join(root, 'include/rondo'), { recursive: true }).filter((name) => name.endsWith('.h'));
  writeFileSync(source, [
    ...headers.map((name) => `#include "rondo/${name}"`), '#include "code_blocks_prelude.h"', ...blocks.map(toNamespace), '',
  ].join('\n'));
  const { status, stderr } = spawnSync(process.env.CXX ?? 'g++', [
    '-std=c++23', '-fsyntax-only', '-w', '-I', join(root, 'include'), '-I', __dirname, source,
  ], { encoding: 'utf8' });
  assert.strictEqual(status, 0, stderr);
  return blocks.length;
}

// ---- JavaScript ----

function parse() {
  const blocks = pages.flatMap((page) => blocksOf(page, 'js'));
  assert(blocks.length > 10, 'the documents have blocks of JavaScript');
  for (const { page, line, code } of blocks) {
    const text = code.replaceAll(': ...', ': {}');
    const isLiteral = /^\{/.test(text);
    new vm.Script(isLiteral ? `(${text})` : `(async () => {${text}\n})`, { filename: page, lineOffset: line - 1 });
  }
  return blocks.length;
}

// A script that begins with its name in a comment, and further down what running it prints.
function run() {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  const shown = /^```js\n(\/\/ (\S+)\n.*?)^```\n\n {4}\$ build\/rondo \2\n((?: {4}[^\n]*\n)+)/ms.exec(text);
  assert(shown, 'README.md shows a script and its output');
  const [, code, name, output] = shown;
  writeFileSync(join(folder, name), code);
  const { stdout } = spawnSync(process.execPath, [join(folder, name)], { encoding: 'utf8' });
  assert.strictEqual(stdout, output.replaceAll(/^ {4}/gm, ''));
}

const compiled = compile();
const parsed = parse();
run();
console.log(`${compiled} blocks of C++, ${parsed} of JavaScript`);
