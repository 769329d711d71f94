'use strict';
// Warnings: process.emitWarning(), and how a warning is shown that no listener keeps from being shown.

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateString } = require('internal/validators');
const { getOptionValue } = require('internal/options');

let hintShown = false; // how to see where a warning comes from: said once

function isDisabled(warning) {
  const disabled = getOptionValue('--disable-warning');
  return disabled !== undefined && disabled.length > 0 &&
    ((warning.code && disabled.includes(warning.code)) || (warning.name && disabled.includes(warning.name)));
}

function describe(warning, isTraced) {
  if (isTraced && warning.stack) return `${warning.stack}`;
  if (typeof warning.toString === 'function') return `${warning.toString()}`;
  return Error.prototype.toString.call(warning);
}

function print(message) {
  const file = getOptionValue('--redirect-warnings') || process.env.NODE_REDIRECT_WARNINGS;
  if (file) {
    try {
      require('fs').appendFileSync(file, `${message}\n`);
      return;
    } catch {
      // Where it cannot go to the file, it is shown.
    }
  }
  require('internal/console/global').error(message);
}

// The listener for 'warning' that a program starts with.
function onWarning(warning) {
  if (!(warning instanceof Error) || isDisabled(warning)) return;
  const isDeprecation = warning.name === 'DeprecationWarning';
  if (isDeprecation && process.noDeprecation) return;
  const isTraced = process.traceProcessWarnings || (isDeprecation && process.traceDeprecation);
  let message = `(${process.release.name}:${process.pid}) `;
  if (warning.code) message += `[${warning.code}] `;
  message += describe(warning, isTraced);
  if (typeof warning.detail === 'string') message += `\n${warning.detail}`;
  if (!isTraced && !hintShown) {
    const flag = isDeprecation ? '--trace-deprecation' : '--trace-warnings';
    message += `\n(Use \`node ${flag} ...\` to show where the warning was created)`;
    hintShown = true;
  }
  print(message);
}

function makeWarning(message, type, code, ctor, detail) {
  // Its stack is taken below, from where the warning was given.
  const limit = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit');
  const canLimit = limit?.writable === true;
  if (canLimit) Error.stackTraceLimit = 0;
  const warning = new Error(message);
  if (canLimit) Error.stackTraceLimit = limit.value;
  warning.name = String(type || 'Warning');
  if (code !== undefined) warning.code = code;
  if (detail !== undefined) warning.detail = detail;
  Error.captureStackTrace(warning, ctor || process.emitWarning);
  return warning;
}

// (warning, options) or (warning, type, code, ctor), where everything after the first may be left out
function emitWarning(warning, type, code, ctor) {
  let detail;
  if (type !== null && typeof type === 'object' && !Array.isArray(type)) {
    ({ ctor, code } = type);
    if (typeof type.detail === 'string') ({ detail } = type);
    type = type.type || 'Warning';
  } else if (typeof type === 'function') {
    ctor = type;
    code = '';
    type = 'Warning';
  }
  if (type !== undefined) validateString(type, 'type');
  if (typeof code === 'function') {
    ctor = code;
    code = '';
  } else if (code !== undefined) {
    validateString(code, 'code');
  }
  if (typeof warning === 'string') {
    warning = makeWarning(warning, type, code || undefined, ctor, detail);
  } else if (!(warning instanceof Error)) {
    throw new ERR_INVALID_ARG_TYPE('warning', ['Error', 'string'], warning);
  }
  if (warning.name === 'DeprecationWarning') {
    if (process.noDeprecation) return;
    if (process.throwDeprecation) {
      // In a callback of its own: the program cannot catch it where it called.
      process.nextTick(() => { throw warning; });
      return;
    }
  }
  process.nextTick(announce, warning);
}

function announce(warning) {
  process.emit('warning', warning);
}

// At each start: from here on warnings are shown, unless that is not wanted.
function startWarnings() {
  const marks = {
    '--no-deprecation': 'noDeprecation',
    '--no-warnings': 'noProcessWarnings',
    '--throw-deprecation': 'throwDeprecation',
    '--trace-deprecation': 'traceDeprecation',
    '--trace-warnings': 'traceProcessWarnings',
  };
  for (const option in marks) {
    if (!isGiven(option)) continue;
    Object.defineProperty(process, marks[option],
      { __proto__: null, value: true, writable: false, enumerable: true, configurable: true });
  }
  if (!isGiven('--no-warnings') && process.env.NODE_NO_WARNINGS !== '1') process.on('warning', onWarning);
}

// --no-x is the same as --x with the value false.
function isGiven(option) {
  return getOptionValue(option) === true ||
    (option.startsWith('--no-') && getOptionValue(`--${option.slice(5)}`) === false);
}

module.exports = { emitWarning, startWarnings };
