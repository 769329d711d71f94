'use strict';
// util.debuglog: messages to stderr for the sections named in NODE_DEBUG.

const { format, formatWithOptions, inspect } = require('internal/util/inspect');

// Sections that print what passes over the wire.
const kSensitive = new Set(['HTTP', 'HTTP2']);

let matches;
const loggers = new Map();

function isEnabled(section) {
  if (matches === undefined) {
    const pattern = process.env.NODE_DEBUG;
    if (!pattern) {
      matches = () => false;
    } else {
      const source = pattern.replace(/[|\\{}()[\]^$+?.]/g, '\\$&')
        .replaceAll('*', '.*').replaceAll(',', '$|^');
      const regexp = new RegExp(`^${source}$`, 'i');
      matches = (name) => regexp.test(name);
    }
  }
  return matches(section);
}

function noop() {}

function loggerFor(section) {
  let logger = loggers.get(section);
  if (logger !== undefined) return logger;
  if (!isEnabled(section)) {
    logger = noop;
  } else {
    if (kSensitive.has(section)) {
      process.emitWarning(`Setting the NODE_DEBUG environment variable to '${section.toLowerCase()}' can ` +
        'expose sensitive data (such as passwords, tokens and authentication headers) in the ' +
        'resulting log.');
    }
    logger = function debug(...args) {
      const colors = require('internal/util/colors').shouldColorize(process.stderr);
      const message = formatWithOptions({ colors }, ...args);
      process.stderr.write(format('%s %s: %s\n', section, inspect(process.pid, { colors }), message));
    };
  }
  loggers.set(section, logger);
  return logger;
}

function showEnabled(logger, isOn) {
  Object.defineProperty(logger, 'enabled', { __proto__: null, get: isOn, configurable: true, enumerable: true });
}

// `cb` is given the real function at the first call, to replace this one with.
function debuglog(set, cb) {
  set = String(set).toUpperCase();
  const isOn = { get() { return isEnabled(set); } }.get;
  let log = (...args) => {
    log = loggerFor(set);
    if (typeof cb === 'function') {
      showEnabled(log, isOn);
      cb(log);
    }
    log(...args);
  };
  const logger = (...args) => log(...args);
  showEnabled(logger, isOn);
  return logger;
}

module.exports = { debuglog };
