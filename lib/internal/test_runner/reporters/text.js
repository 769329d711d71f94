'use strict';
// What reporters for people have in common: symbols, colours, an outcome as a line of text.

const colors = require('internal/util/colors');
const { inspectSafely } = require('internal/test_runner/reporters/inspect_safely');

const symbols = {
  '__proto__': null,
  'test:fail': '\u2716 ',
  'test:pass': '\u2714 ',
  'test:diagnostic': '\u2139 ',
  'test:log': '\u2139 ',
  'test:coverage': '\u2139 ',
  'arrow': '\u25B6 ',
  'skipped': '\uFE63 ',
  'warning': '\u26A0 ',
};

// By type of event, or level of a diagnostic.
function colorOf(name) {
  switch (name) {
    case 'test:fail': case 'error': return colors.red;
    case 'test:pass': return colors.green;
    case 'test:diagnostic': case 'test:log': case 'info': return colors.blue;
    case 'warn': return colors.yellow;
  }
  return undefined;
}

function indent(nesting) {
  return '  '.repeat(nesting);
}

function formatError(error, indentation) {
  const shown = error.code === 'ERR_TEST_FAILURE' ? error.cause : error;
  const text = inspectSafely(shown,
    { __proto__: null, colors: colors.shouldColorize(process.stdout), breakLength: Infinity });
  return `\n${indentation}  ${text.split(/\r?\n/).join(`\n${indentation}  `)}\n`;
}

function orWord(reason, word) {
  return typeof reason === 'string' && reason.length > 0 ? reason : word;
}

function formatOutcome(type, data, showsError = true, prefix = '', indentation = '') {
  const { details, expectFailure, skip, todo } = data;
  let color = colorOf(type) ?? colors.white;
  let symbol = symbols[type] ?? ' ';
  const aside = (text) => ` ${colors.gray}(${text})${colors.white}`;
  let title = data.name;
  if (details?.duration_ms) title += aside(`${details.duration_ms}ms`);
  if (details?.passed_on_attempt !== undefined) {
    title += aside(`passed on attempt ${details.passed_on_attempt}`);
  }
  if (skip !== undefined) {
    title += ` # ${orWord(skip, 'SKIP')}`;
    color = colors.gray;
    symbol = symbols.skipped;
  } else if (todo !== undefined) {
    title += ` # ${orWord(todo, 'TODO')}`;
    if (type === 'test:fail') {
      color = colors.yellow;
      symbol = symbols.warning;
    }
  } else if (expectFailure !== undefined) {
    title += ' # EXPECTED FAILURE';
  }
  const error = showsError && details?.error ? formatError(details.error, indentation) : '';
  return `${prefix}${indentation}${color}${symbol}${title}${colors.white}${error}`;
}

module.exports = { colorOf, formatOutcome, indent, symbols };
