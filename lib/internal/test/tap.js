'use strict';
// What node:test prints: the Test Anything Protocol, with details in YAML.

const { inspect } = require('internal/util/inspect');

let failure; // of standard output: nobody can be told anything any more

function write(text) {
  process.stdout.write(text, (error) => { failure ??= error ?? undefined; });
}

function escape(text) {
  return text.replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r').replaceAll('\\', '\\\\')
    .replaceAll('#', '\\#');
}

function line(depth, text) {
  write(`${'    '.repeat(depth)}${text}\n`);
}

// One entry of the details: text of several lines goes below its name.
function detail(indent, name, value) {
  if (value === undefined) return '';
  if (typeof value === 'string' && value.includes('\n')) {
    return `${indent}${name}: |-\n${value.split('\n').map((part) => `${indent}  ${part}\n`).join('')}`;
  }
  return `${indent}${name}: ${inspect(value)}\n`;
}

function stackFrames(error) {
  if (typeof error?.stack !== 'string') return undefined;
  const frames = error.stack.split('\n').filter((frame) => /^\s+at /.test(frame));
  return frames.length === 0 ? undefined : frames.map((frame) => frame.replace(/^\s+at /, '')).join('\n');
}

function failureDetails(indent, { type, error }) {
  let text = detail(indent, 'failureType', type);
  if (error === null || typeof error !== 'object') {
    return text + detail(indent, 'error', String(error)) + detail(indent, 'code', 'ERR_TEST_FAILURE');
  }
  text += detail(indent, 'error', String(error.message ?? inspect(error)));
  text += detail(indent, 'code', error.code ?? 'ERR_TEST_FAILURE');
  if (error.name !== undefined && error.name !== 'Error') text += detail(indent, 'name', error.name);
  if (error.code === 'ERR_ASSERTION') {
    for (const name of ['expected', 'actual', 'operator']) {
      const value = error[name];
      text += detail(indent, name, typeof value === 'object' ? inspect(value) : value);
    }
  }
  return type === 'testCodeFailure' ? text + detail(indent, 'stack', stackFrames(error)) : text;
}

const reporter = {
  get failure() { return failure; },

  start() {
    write('TAP version 13\n');
  },

  begin(test) {
    line(test.depth, `# Subtest: ${escape(test.name)}`);
  },

  plan(depth, count) {
    line(depth, `1..${count}`);
  },

  end(test, number) {
    const directive = test.skipped !== undefined ? ` # SKIP${test.skipped && ` ${escape(test.skipped)}`}` :
      test.todo !== undefined ? ` # TODO${test.todo && ` ${escape(test.todo)}`}` : '';
    line(test.depth, `${test.failure === undefined ? '' : 'not '}ok ${number} - ${escape(test.name)}${directive}`);
    const indent = `${'    '.repeat(test.depth)}  `;
    let text = `${indent}---\n${detail(indent, 'duration_ms', test.duration)}`;
    if (test.isSuite) text += detail(indent, 'type', 'suite');
    if (test.failure !== undefined) {
      text += detail(indent, 'location', test.location) + failureDetails(indent, test.failure);
    }
    write(`${text}${indent}...\n`);
    for (const message of test.diagnostics) line(test.depth, `# ${escape(message)}`);
  },

  summary(counts, duration) {
    for (const name of ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo']) {
      write(`# ${name} ${counts[name]}\n`);
    }
    write(`# duration_ms ${duration}\n`);
  },
};

module.exports = reporter;
