'use strict';
// The difference of two values as assert shows it: both inspected, compared line by line, long runs
// of equal lines cut out.

const { inspect } = require('internal/util/inspect');
const { removeColors } = require('internal/inspect/text');
const colors = require('internal/util/colors');

const kHeadings = {
  deepStrictEqual: 'Expected values to be strictly deep-equal:',
  strictEqual: 'Expected values to be strictly equal:',
  strictEqualObject: 'Expected "actual" to be reference-equal to "expected":',
  deepEqual: 'Expected values to be loosely deep-equal:',
  notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:',
  notStrictEqual: 'Expected "actual" to be strictly unequal to:',
  notStrictEqualObject: 'Expected "actual" not to be reference-equal to "expected":',
  notDeepEqual: 'Expected "actual" not to be loosely deep-equal to:',
  notIdentical: 'Values have same structure but are not reference-equal:',
  notDeepEqualUnequal: 'Expected values not to be loosely deep-equal:',
};

const kShortInputs = 12; // characters of both values together that go on one line, "1 !== 2"
const kMostLines = 50;
const kKeptLines = 46; // of a single value that is too long

function inspectValue(value) {
  return inspect(value, {
    compact: false,
    customInspect: false,
    depth: 1000,
    maxArrayLength: Infinity,
    showHidden: false,
    showProxy: false,
    sorted: true,
    getters: true,
  });
}

function isObjectOrFunction(value) {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function ellipsis() {
  return `${colors.blue}...${colors.white}`;
}

// The lines of one value, shortened if there are too many.
function shorten(lines) {
  return lines.length > kMostLines ? [...lines.slice(0, kKeptLines), ellipsis()] : lines;
}

// Lines both sides end with. The last three are shown, and the first; what is between is left out.
function takeCommonEnd(actual, expected) {
  const common = [];
  while (actual.length !== 0 && expected.length !== 0 && actual.at(-1) === expected.at(-1)) {
    common.unshift(actual.pop());
    expected.pop();
  }
  return common;
}

function formatCommonEnd(common) {
  const shown = common.slice(-3).map((line) => `\n  ${line}`).join('');
  if (common.length <= 3) return { text: shown, skipped: false };
  const skipped = common.length >= 5;
  return { text: `\n  ${common[0]}${skipped ? `\n${ellipsis()}` : ''}${shown}`, skipped };
}

// Collects the lines of a difference. Expected lines wait until the run of different lines is over, so
// that what was added and what was removed stand together.
class DiffWriter {
  constructor() {
    this.text = '';
    this.removed = '';
    this.equalRun = 0;
    this.printed = 0;
    this.skipped = false;
  }

  // The first two equal lines after a difference are printed at once.
  addEqual(line) {
    this.text += this.removed;
    this.removed = '';
    this.equalRun++;
    if (this.equalRun <= 2) this.printEqual(line);
  }

  printEqual(line) {
    this.text += `\n  ${line}`;
    this.printed++;
  }

  // And the last two before the next; a gap of a single line is not worth a mark.
  endEqualRun(lines, index) {
    const held = this.equalRun - 2;
    if (held > 3) {
      this.text += `\n${ellipsis()}`;
      this.skipped = true;
    }
    const tail = held > 3 ? 2 : held;
    for (let i = tail; i > 0; i--) this.printEqual(lines[index - i]);
    this.equalRun = 0;
  }

  addActual(line) {
    this.text += `\n${colors.green}+${colors.white} ${line}`;
    this.printed++;
  }

  addExpected(line) {
    this.removed += `\n${colors.red}-${colors.white} ${line}`;
    this.printed++;
  }
}

// "1," and "1" differ only because one is the last of its list.
function isEqualButComma(line, other) {
  return line.endsWith(',') && line.slice(0, -1) === other;
}

function compareLines(actual, expected) {
  const writer = new DiffWriter();
  const count = Math.max(actual.length, expected.length);
  const longer = actual.length >= expected.length ? actual : expected;
  for (let i = 0; i < count; i++) {
    if (i >= actual.length || i >= expected.length) {
      writer.endEqualRun(longer, i);
      if (longer === actual) writer.addActual(actual[i]);
      else writer.addExpected(expected[i]);
    } else if (actual[i] === expected[i] || isEqualButComma(actual[i], expected[i])) {
      writer.addEqual(actual[i]);
    } else if (isEqualButComma(expected[i], actual[i])) {
      writer.addEqual(expected[i]);
    } else {
      writer.endEqualRun(actual, i);
      writer.addActual(actual[i]);
      writer.addExpected(expected[i]);
    }
    if (writer.printed > kMostLines && i < count - 2) {
      return {
        text: `${writer.text}\n${ellipsis()}${writer.removed}\n${ellipsis()}`,
        skipped: true,
        isCut: true,
      };
    }
  }
  return { text: writer.text + writer.removed, skipped: writer.skipped, isCut: false };
}

// A caret under the first character that differs, if the lines are short enough to see it.
function mismatchIndicator(actual, expected) {
  const width = process.stderr.isTTY ? process.stderr.columns : 80;
  if (actual.length + expected.length >= width) return '';
  let i = 0;
  while (actual[i] === expected[i]) i++;
  return i > 2 ? `\n  ${' '.repeat(i)}^` : '';
}

// The message of strictEqual and deepStrictEqual. A custom message stands in place of the heading.
function createDiff(actual, expected, operator, customMessage) {
  const actualText = inspectValue(actual);
  const actualLines = actualText.split('\n');
  const expectedLines = inspectValue(expected).split('\n');
  let indicator = '';

  if (operator === 'strictEqual' && isObjectOrFunction(actual) && isObjectOrFunction(expected) &&
      typeof actual === typeof expected) {
    operator = 'strictEqualObject';
  }
  const heading = customMessage || kHeadings[operator];

  if (actualLines.length === 1 && expectedLines.length === 1 && actualLines[0] !== expectedLines[0]) {
    const hasColors = inspect.defaultOptions.colors;
    const actualRaw = hasColors ? removeColors(actualLines[0]) : actualLines[0];
    const expectedRaw = hasColors ? removeColors(expectedLines[0]) : expectedLines[0];
    if (actualRaw.length + expectedRaw.length <= kShortInputs) {
      const bothSimple = (typeof actual !== 'object' || actual === null) &&
        (typeof expected !== 'object' || expected === null);
      // "0 !== -0" would look wrong.
      if (bothSimple && (actual !== 0 || expected !== 0)) {
        return `${heading}\n\n${actualLines[0]} !== ${expectedLines[0]}\n`;
      }
    } else if (operator !== 'strictEqualObject') {
      indicator = mismatchIndicator(actualRaw, expectedRaw);
    }
  }

  const common = takeCommonEnd(actualLines, expectedLines);
  if (actualLines.length === 0 && expectedLines.length === 0) {
    return `${kHeadings.notIdentical}\n\n${shorten(actualText.split('\n')).join('\n')}\n`;
  }
  const end = formatCommonEnd(common);
  const difference = compareLines(actualLines, expectedLines);
  const legend = `${colors.green}+ actual${colors.white} ${colors.red}- expected${colors.white}`;
  const note = end.skipped || difference.skipped ? ` ${ellipsis()} Lines skipped` : '';
  const body = difference.isCut ? difference.text : `${difference.text}${end.text}${indicator}`;
  return `${heading}\n${legend}${note}\n${body}`;
}

// The message of notStrictEqual and notDeepStrictEqual: there is one value to show.
function describeUnwanted(actual, operator) {
  const isReference = operator === 'notStrictEqual' && isObjectOrFunction(actual);
  const heading = kHeadings[isReference ? 'notStrictEqualObject' : operator];
  const lines = shorten(inspectValue(actual).split('\n'));
  if (lines.length === 1) return `${heading}${lines[0].length > 5 ? '\n\n' : ' '}${lines[0]}`;
  return `${heading}\n\n${lines.join('\n')}\n`;
}

function cut(text, most) {
  return text.length > most ? `${text.slice(0, most - 3)}...` : text;
}

// The message of all others: both values and what was between them.
function describePair(actual, expected, operator) {
  const actualText = inspectValue(actual);
  const expectedText = inspectValue(expected);
  if (operator === 'notDeepEqual' && actualText === expectedText) {
    return cut(`${kHeadings.notDeepEqual}\n\n${actualText}`, 1024);
  }
  const left = cut(actualText, 512);
  const right = cut(expectedText, 512);
  if (operator === 'deepEqual') {
    return `${kHeadings.deepEqual}\n\n${left}\n\nshould loosely deep-equal\n\n${right}`;
  }
  if (operator === 'notDeepEqual') {
    return `${kHeadings.notDeepEqualUnequal}\n\n${left}\n\nshould not loosely deep-equal\n\n${right}`;
  }
  return `${left} ${operator} ${right}`;
}

module.exports = { createDiff, describePair, describeUnwanted };
