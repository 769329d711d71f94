'use strict';
// The lines of all sources that coverage has to do with, by URL.

const { splitLines } = require('internal/test_runner/coverage/lines');
const { fileURLToPath } = require('internal/url');

const kTypeScript = /\.[cm]?ts$/;

class SourceTable {
  #lines = new Map(); // null: the file cannot be read any more
  #withoutTypes = new Set();

  lines(url, source = undefined) {
    let lines = this.#lines.get(url);
    if (lines !== undefined) return lines;
    try {
      lines = splitLines(source ?? require('fs').readFileSync(fileURLToPath(url), 'utf8'));
    } catch {
      lines = null;
    }
    this.#lines.set(url, lines);
    return lines;
  }

  // Lines that have nothing but types do not run.
  ignoreTypes(url, source = undefined) {
    if (this.#withoutTypes.has(url)) return;
    this.#withoutTypes.add(url);
    if (!kTypeScript.test(url)) return;
    const lines = this.lines(url, source);
    if (!lines) return;
    let stripped;
    try {
      const { strip } = require('internal/modules/typescript');
      stripped = strip(lines.map(({ text }) => text).join('')).split(/(?<=\r?\n)/);
    } catch {
      stripped = undefined;
    }
    lines.forEach((line, index) => {
      if (line.text.trim() === '') return;
      const rest = stripped?.[index];
      if (rest === undefined ? /^\s*import\s+type\b/.test(line.text) : rest.trim() === '') line.isIgnored = true;
    });
  }
}

module.exports = { SourceTable };
