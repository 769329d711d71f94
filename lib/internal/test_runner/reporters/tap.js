'use strict';
// The Test Anything Protocol, version 13, with details in YAML.

const { isError } = require('internal/inspect/errors');
const { unwrapped } = require('internal/test_runner/failure');
const { inspectSafely } = require('internal/test_runner/reporters/inspect_safely');
const { isDate } = require('internal/util/types');

const kLineBreak = /\n|\r\n/;
const escapes = {
  '__proto__': null, '\b': '\\\\b', '\f': '\\\\f', '\t': '\\\\t', '\n': '\\\\n', '\r': '\\\\r', '\v': '\\\\v',
  '\\': '\\\\', '#': '\\#',
};

function escape(text) {
  return text.replace(/[\b\f\t\n\r\v\\#]/g, (character) => escapes[character]);
}

function indent(nesting) {
  return '    '.repeat(nesting);
}

function withReason(word, reason) {
  return ` # ${word}${typeof reason === 'string' && reason.length > 0 ? ` ${escape(reason)}` : ''}`;
}

function directiveOf({ skip, todo, expectFailure }) {
  if (skip !== undefined) return withReason('SKIP', skip);
  if (todo !== undefined) return withReason('TODO', todo);
  return expectFailure === undefined ? '' : withReason('EXPECTED FAILURE', expectFailure);
}

function outcome(word, data) {
  const name = data.name ? ` ${escape(`- ${data.name}`)}` : '';
  return `${indent(data.nesting)}${word} ${data.testNumber}${name}${directiveOf(data)}\n`;
}

function details({ details: { duration_ms, error, type } = {}, nesting }, location) {
  const margin = indent(nesting);
  let text = `${margin}  ---\n${yaml(margin, 'duration_ms', duration_ms)}${yaml(margin, 'type', type)}`;
  if (location) text += yaml(margin, 'location', location);
  return `${text}${yaml(margin, null, error, new Set())}${margin}  ...\n`;
}

function scalar(value) {
  return inspectSafely(value, { __proto__: null, colors: false, breakLength: Infinity });
}

// An entry of a mapping; without a name, the entries of a mapping.
function yaml(margin, name, value, seen) {
  if (value === undefined) return '';
  const start = `${margin}  ${name}:`;
  if (value === null) return `${start} ~\n`;
  if (typeof value === 'object') return yamlOfObject(margin, name, value, seen);
  const lines = typeof value === 'string' ? value.split(kLineBreak) : [];
  if (lines.length < 2) return `${start} ${scalar(value)}\n`;
  return `${start} |-\n${lines.map((line) => `${margin}    ${line}\n`).join('')}`;
}

function yamlOfObject(margin, name, object, seen) {
  seen.add(object);
  const isErrorObject = isError(object);
  let inner = margin;
  let text = '';
  if (name !== null) {
    text = `${margin}  ${name}:${isDate(object) ? ` ${Date.prototype.toISOString.call(object)}` : ''}\n`;
    inner += '  ';
  }
  for (const [key, value] of Object.entries(object)) {
    if (isErrorObject && (key === 'cause' || key === 'code')) continue;
    text += seen.has(value) ? `${inner}  ${key}: <Circular>\n` : yaml(inner, key, value, seen);
  }
  return isErrorObject ? text + yamlOfError(margin, object, seen) : text;
}

function isAssertion(value) {
  return Boolean(value) && typeof value === 'object' && 'expected' in value && 'actual' in value;
}

// What the error of a failed test has of the error of the program.
function unwrap(error) {
  const { actual, code, expected, message = '<unknown error>', name, operator, stack } = error;
  const shown = { code, message, name, stack, actual, expected, operator,
    isAssertion: isAssertion(error) };
  if (code !== 'ERR_TEST_FAILURE' || !unwrapped.has(error.failureType)) return shown;
  const { cause } = error;
  for (const key of ['code', 'message', 'name', 'stack']) shown[key] = cause?.[key] ?? shown[key];
  if (isAssertion(cause)) {
    shown.expected = cause.expected;
    shown.actual = cause.actual;
    shown.operator = cause.operator ?? operator;
    shown.isAssertion = true;
  }
  return shown;
}

function yamlOfError(margin, error, seen) {
  const shown = unwrap(error);
  let text = yaml(margin, 'error', shown.message ?? '<unknown error>', seen);
  if (shown.code) text += yaml(margin, 'code', shown.code, seen);
  if (shown.name && shown.name !== 'Error') text += yaml(margin, 'name', shown.name, seen);
  if (shown.isAssertion) {
    // What is circular is so for each of them.
    text += yaml(margin, 'expected', shown.expected, new Set(seen));
    text += yaml(margin, 'actual', shown.actual, new Set(seen));
    if (shown.operator) text += yaml(margin, 'operator', shown.operator, seen);
  }
  if (typeof shown.stack !== 'string') return text;
  const frames = shown.stack.split(kLineBreak).filter((line) => line.startsWith('    at '))
    .map((line) => line.slice(7)).filter((frame) => frame !== '');
  if (frames.length === 0) return text;
  return `${text}${margin}  stack: |-\n${frames.map((frame) => `${margin}    ${frame}\n`).join('')}`;
}

function lines(message) {
  return message.split(kLineBreak).filter((line) => line !== '')
    .map((line) => `# ${escape(line)}\n`);
}

function interrupted({ name, file, line, column }) {
  const place = file ? ` at ${file}:${line}:${column}` : '';
  return `# ${escape(`Interrupted while running: ${name}${place}`)}\n`;
}

// -> the texts of an event
function textsOf(type, data) {
  switch (type) {
    case 'test:fail': {
      const location = data.file ? `${data.file}:${data.line}:${data.column}` : null;
      return [outcome('not ok', data), details(data, location)];
    }
    case 'test:pass': return [outcome('ok', data), details(data, null)];
    case 'test:plan': return [`${indent(data.nesting)}1..${data.count}\n`];
    case 'test:start': return [`${indent(data.nesting)}# Subtest: ${escape(data.name)}\n`];
    case 'test:stderr': case 'test:stdout': return lines(data.message);
    case 'test:diagnostic': case 'test:log':
      return [`${indent(data.nesting)}# ${escape(data.message)}\n`];
    case 'test:coverage': {
      const { formatCoverage } = require('internal/test_runner/reporters/coverage_table');
      return [formatCoverage(data.summary, `${indent(data.nesting)}# `, '')];
    }
    case 'test:interrupted': return data.tests.map(interrupted);
  }
  return [];
}

module.exports = async function* tap(source) {
  yield 'TAP version 13\n';
  for await (const { type, data } of source) {
    for (const text of textsOf(type, data)) yield text;
  }
};
