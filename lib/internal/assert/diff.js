'use strict';
// The difference of two values as assert shows it: both inspected, compared line by line, long runs
// of equal lines cut out. With `isFull`, nothing else is.

const { inspect } = require('internal/util/inspect');
const { kDelete, kInsert, kKeep, myersDiff } = require('internal/assert/myers');
const colors = require('internal/util/colors');

const kHeadings = {
  deepStrictEqual: 'Expected values to be strictly deep-equal:',
  partialDeepStrictEqual: 'Expected values to be partially and strictly deep-equal:',
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

const kShortInputs = 12; // characters of both values together that fit on one line, "1 !== 2"
const kShownEqualLines = 5;
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
function shorten(lines, isFull) {
  return lines.length > kMostLines && !isFull ? [...lines.slice(0, kKeptLines), ellipsis()] : lines;
}

function marked(operation, line, isPartial) {
  if (operation === kDelete) return `${colors.red}-${colors.white} ${line}\n`;
  if (operation === kKeep) return `${colors.white}  ${line}\n`;
  // A partial comparison accepts properties that were not expected.
  if (isPartial) return `${colors.gray}${colors.hasColors ? ' ' : '+'} ${line}${colors.white}\n`;
  return `${colors.green}+${colors.white} ${line}\n`;
}

// Of a run of equal lines the first are shown, and the last before the next difference.
function showDiff(diff, isPartial) {
  let text = '';
  let skipped = false;
  let equal = 0;
  diff.forEach(([operation, line], i) => {
    if (operation === kKeep) {
      if (equal++ < kShownEqualLines) text += marked(kKeep, line);
      return;
    }
    const hidden = equal - kShownEqualLines;
    if (hidden > 2) {
      text += `${ellipsis()}\n`;
      skipped = true;
    }
    // A single line or two are not worth a mark.
    for (let back = hidden > 2 ? 1 : hidden; back > 0; back--) text += marked(kKeep, diff[i - back][1]);
    equal = 0;
    text += marked(operation, line, isPartial);
  });
  return { text: `\n${text.trimEnd()}`, skipped };
}

// A caret under the first character that differs, if the lines are short enough to see it.
function mismatchIndicator(actual, expected) {
  const width = process.stderr.isTTY ? process.stderr.columns : 80;
  if (actual.length + expected.length > width) return '';
  let i = 0;
  while (i < actual.length && actual[i] === expected[i]) i++;
  return i > 2 && i < actual.length ? `\n  ${' '.repeat(i)}^` : '';
}

// The two characters of quotes do not count.
function shownLength(value, text) {
  return typeof value === 'string' ? text.length - 2 : text.length;
}

// Values that are one line each, at least one of them no object: { text, legend }
function compareSimple(actual, actualText, expected, expectedText, legend) {
  const length = shownLength(actual, actualText) + shownLength(expected, expectedText);
  // "0 !== -0" would look wrong.
  if (length <= kShortInputs && (actual !== 0 || expected !== 0)) {
    return { text: `${actualText} !== ${expectedText}`, legend: '' };
  }
  if (typeof actual === 'string' && typeof expected === 'string' && colors.hasColors) {
    const colorOf = { [kInsert]: colors.green, [kDelete]: colors.red, [kKeep]: colors.white };
    const text = myersDiff(actualText.split(''), expectedText.split(''))
      .map(([operation, character]) => `${colorOf[operation]}${character}${colors.white}`).join('');
    const names = `${colors.green}actual${colors.white} ${colors.red}expected${colors.white}`;
    return { text: `\n${text}`, legend: names };
  }
  const lines = `\n${colors.green}+${colors.white} ${actualText}\n${colors.red}- ${colors.white}${expectedText}`;
  return { text: lines + mismatchIndicator(actualText, expectedText), legend };
}

// The message of strictEqual, deepStrictEqual and partialDeepStrictEqual. A custom message replaces the text
// of the heading.
function createDiff(actual, expected, operator, customMessage, isFull) {
  const actualText = inspectValue(actual);
  const expectedText = inspectValue(expected);
  const actualLines = actualText.split('\n');
  const expectedLines = expectedText.split('\n');
  if (operator === 'strictEqual' && isObjectOrFunction(actual) && isObjectOrFunction(expected) &&
      typeof actual === typeof expected) {
    operator = 'strictEqualObject';
  }
  const isPartial = operator === 'partialDeepStrictEqual';
  let legend = `${colors.green}+ actual${colors.white} ${colors.red}- expected${colors.white}`;
  let text;
  let skipped = false;
  const isSimple = actualLines.length === 1 && expectedLines.length === 1 &&
    (typeof actual !== 'object' || actual === null || typeof expected !== 'object' || expected === null);
  if (isSimple) {
    ({ text, legend } = compareSimple(actual, actualText, expected, expectedText, legend));
  } else if (actualText === expectedText) {
    operator = 'notIdentical';
    skipped = actualLines.length > kMostLines && !isFull;
    text = skipped ? `${actualLines.slice(0, kMostLines).join('\n')}\n...}` : actualText;
    legend = '';
  } else {
    const ignoreCommas = actual != null && typeof actual === 'object';
    ({ text, skipped } = showDiff(myersDiff(actualLines, expectedLines, ignoreCommas), isPartial));
    if (isPartial) {
      legend = `${colors.gray}${colors.hasColors ? '' : '+ '}actual${colors.white} ` +
        `${colors.red}- expected${colors.white}`;
    }
  }
  const note = skipped ? '\n... Skipped lines' : '';
  return `${customMessage || kHeadings[operator]}\n${legend}${note}\n${text}\n`;
}

// The message of notStrictEqual and notDeepStrictEqual: there is one value to show.
function describeUnwanted(actual, operator, isFull) {
  const isReference = operator === 'notStrictEqual' && isObjectOrFunction(actual);
  const heading = kHeadings[isReference ? 'notStrictEqualObject' : operator];
  const lines = shorten(inspectValue(actual).split('\n'), isFull);
  if (lines.length === 1) return `${heading}${lines[0].length > 5 ? '\n\n' : ' '}${lines[0]}`;
  return `${heading}\n\n${lines.join('\n')}\n`;
}

function cut(text, most, isFull) {
  return text.length > most && !isFull ? `${text.slice(0, most - 3)}...` : text;
}

// The message of all others: both values and what was between them.
function describePair(actual, expected, operator, isFull) {
  const actualText = inspectValue(actual);
  const expectedText = inspectValue(expected);
  if (operator === 'notDeepEqual' && actualText === expectedText) {
    return cut(`${kHeadings.notDeepEqual}\n\n${actualText}`, 1024, isFull);
  }
  const left = cut(actualText, 512, isFull);
  const right = cut(expectedText, 512, isFull);
  if (operator === 'deepEqual') {
    return `${kHeadings.deepEqual}\n\n${left}\n\nshould loosely deep-equal\n\n${right}`;
  }
  if (operator === 'notDeepEqual') {
    return `${kHeadings.notDeepEqualUnequal}\n\n${left}\n\nshould not loosely deep-equal\n\n${right}`;
  }
  return `${left} ${operator} ${right}`;
}

module.exports = { createDiff, describePair, describeUnwanted };
