'use strict';
// The tree of the tests, and at the end those that failed with their errors.

const assert = require('assert');
const path = require('path');
const { Transform } = require('stream');
const colors = require('internal/util/colors');
const { kinds } = require('internal/test_runner/failure');
const { colorOf, formatOutcome, indent, symbols } = require('internal/test_runner/reporters/text');

class SpecReporter extends Transform {
  #begun = []; // tests of which only the beginning is known, innermost last
  #failed = [];
  #cwd = process.cwd();

  constructor() {
    super({ __proto__: null, writableObjectMode: true });
    colors.refresh();
  }

  #failures() {
    if (this.#failed.length === 0) return '';
    const lines = [`\n${colorOf('test:fail')}${symbols['test:fail']}failing tests:${colors.white}\n`];
    for (const data of this.#failed) {
      if (data.file) {
        lines.push(`test at ${path.relative(this.#cwd, data.file)}:${data.line}:${data.column}`);
      }
      lines.push(formatOutcome('test:fail', data));
    }
    this.#failed = [];
    return lines.join('\n');
  }

  // The names of those around it come first.
  #outcome(type, data) {
    const begun = this.#begun.pop();
    if (begun !== undefined) assert(begun.nesting === data.nesting && begun.name === data.name);
    let prefix = '';
    for (const outer of this.#begun) prefix += `${indent(outer.nesting)}${symbols.arrow}${outer.name}\n`;
    this.#begun = [];
    return `${formatOutcome(type, data, false, prefix, indent(data.nesting))}\n`;
  }

  #interrupted(tests) {
    if (tests.length === 0) return '';
    const lines = tests.map(({ name, nesting, file, line, column }) => {
      const text = `${indent(nesting)}${symbols.warning}${name}`;
      if (!file) return text;
      const place = `${path.relative(this.#cwd, file)}:${line}:${column}`;
      return `${text} ${colors.gray}(${place})${colors.white}`;
    });
    return `\n${colors.yellow}Interrupted while running:${colors.white}\n\n${lines.join('\n')}\n`;
  }

  #textOf(type, data) {
    switch (type) {
      case 'test:fail':
        if (data.details?.error?.failureType !== kinds.subtests) this.#failed.push(data);
        return this.#outcome(type, data);
      case 'test:pass':
        return this.#outcome(type, data);
      case 'test:start':
        this.#begun.push(data);
        return undefined;
      case 'test:stderr': case 'test:stdout':
        return data.message;
      case 'test:diagnostic': case 'test:log': {
        const color = colorOf(data.level) || colorOf(type);
        return `${color}${indent(data.nesting)}${symbols[type]}${data.message}${colors.white}\n`;
      }
      case 'test:coverage': {
        const { formatCoverage } = require('internal/test_runner/reporters/coverage_table');
        return formatCoverage(data.summary, `${indent(data.nesting)}${symbols[type]}`, colors.blue);
      }
      case 'test:summary':
        return data.file === undefined ? this.#failures() : undefined;
      case 'test:watch:restarted':
        return `\nRestarted at ${new Date().toLocaleString()}\n`;
      case 'test:interrupted':
        return this.#interrupted(data.tests);
    }
    return undefined;
  }

  _transform({ type, data }, encoding, callback) {
    callback(null, this.#textOf(type, data));
  }

  _flush(callback) {
    callback(null, this.#failures());
  }
}

module.exports = SpecReporter;
