'use strict';
// A summary of coverage as a table, the files in the tree of their folders.

const path = require('path');
const colors = require('internal/util/colors');

const kColumns = [
  ['line %', 'coveredLinePercent'], ['branch %', 'coveredBranchPercent'], ['funcs %', 'coveredFunctionPercent'],
];
const kPercentages = kColumns.map(([, key]) => key);
const kSeparator = ' | ';
const kLeastColumn = 6;

// "3-5 9", of those that never ran
function uncoveredLines({ lines }) {
  const ranges = [];
  for (const { line, count } of lines) {
    if (count !== 0) continue;
    const last = ranges.at(-1);
    if (last !== undefined && line === last.at(-1) + 1) last[1] = line;
    else ranges.push([line]);
  }
  return ranges.map((range) => range.join('-')).join(' ');
}

// Maps of maps, with the files as leaves; how deep it is, and the longest name.
function treeOf({ files, workingDirectory }) {
  const tree = new Map();
  let depth = 1;
  let longest = 0;
  for (const file of files) {
    const parts = path.relative(workingDirectory, file.path).split(path.sep);
    depth = Math.max(depth, parts.length);
    longest = Math.max(longest, ...parts.map(({ length }) => length));
    let folder = tree;
    for (const part of parts.slice(0, -1)) {
      if (!folder.has(part)) folder.set(part, new Map());
      folder = folder.get(part);
    }
    folder.set(parts.at(-1), file);
  }
  return { tree, depth, longest };
}

function cutStart(text, width) {
  return text.length > width ? `\u2026${text.slice(text.length - width + 1)}` : text;
}

function cutEnd(text, width) {
  return text.length > width ? `${text.slice(0, width - 1)}\u2026` : text;
}

class Table {
  #prefix;
  #color;
  #summary;
  #tree;
  #widths = kColumns.map(([title]) => Math.max(title.length, kLeastColumn));
  #fileWidth;
  #uncoveredWidth;
  #width;

  constructor(summary, prefix, color) {
    const { tree, depth, longest } = treeOf(summary);
    this.#prefix = prefix;
    this.#color = color;
    this.#summary = summary;
    this.#tree = tree;
    this.#measure(depth, longest);
  }

  #measure(depth, longest) {
    const { columns } = process.stdout;
    this.#fileWidth = Math.max(longest + depth - 1 + (this.#color ? 2 : 0), 'all files'.length);
    if (this.#fileWidth > columns / 2) this.#fileWidth = Math.floor(columns / 2);
    const middle = this.#widths.reduce((sum, width) => sum + width + kSeparator.length, 0);
    const uncovered = this.#summary.files.reduce((most, file) => Math.max(most, uncoveredLines(file).length),
      'uncovered lines'.length);
    this.#width = this.#fileWidth + 2 + middle + uncovered + 2;
    const available = (columns || Infinity) - this.#prefix.length;
    this.#uncoveredWidth = Infinity;
    if (this.#width <= available) return;
    this.#fileWidth = Math.min(available * 0.5, this.#fileWidth);
    this.#uncoveredWidth = Math.max(available - middle - (this.#fileWidth + 2) - 2, 1);
    this.#width = available;
  }

  // `covered` gives the text a color, also where it is no percentage.
  #colored(text, covered) {
    if (!this.#color || covered === undefined) return text;
    const color = covered > 90 ? colors.green : covered > 50 ? colors.yellow : colors.red;
    return `${color}${text}${this.#color}`;
  }

  #row(name, cells, uncovered, depth = 0, covered = undefined) {
    const width = this.#fileWidth - depth;
    const file = this.#colored(cutStart(name.padEnd(width), width), covered);
    const middle = cells.map((cell, i) => {
      const text = typeof cell === 'number' ? cell.toFixed(2) : cell;
      return this.#colored(text.padStart(this.#widths[i]), cell);
    });
    const last = cutEnd(uncovered, this.#uncoveredWidth);
    return `${this.#prefix}${' '.repeat(depth)}${file}${kSeparator}${middle.join(kSeparator)}${kSeparator}${last}\n`;
  }

  #rows(folder, depth = 0) {
    let text = '';
    for (const [name, entry] of folder) {
      if (entry.path === undefined) {
        text += this.#row(name, kColumns.map(() => ''), '', depth) + this.#rows(entry, depth + 1);
        continue;
      }
      const cells = kPercentages.map((key) => entry[key]);
      const mean = cells.reduce((sum, cell) => sum + cell) / cells.length;
      text += this.#row(name, cells, uncoveredLines(entry), depth, mean);
    }
    return text;
  }

  text() {
    const line = `${this.#prefix}${'-'.repeat(this.#width)}\n`;
    return [
      `${this.#color}${this.#prefix}start of coverage report\n`,
      line,
      this.#row('file', kColumns.map(([title]) => title), 'uncovered lines'),
      line,
      this.#rows(this.#tree),
      line,
      this.#row('all files', kPercentages.map((key) => this.#summary.totals[key]), ''),
      line,
      `${this.#prefix}end of coverage report\n`,
      this.#color ? colors.white : '',
    ].join('');
  }
}

// `prefix` begins each line; `color` is that of the table, or empty.
function formatCoverage(summary, prefix, color) {
  return new Table(summary, prefix, color).text();
}

module.exports = { formatCoverage };
