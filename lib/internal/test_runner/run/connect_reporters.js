'use strict';
// From the events of tests to what the command line names: reporters, and where they write.

const { AsyncResource } = require('async_hooks');
const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { shouldColorize } = require('internal/util/colors');
const { compose } = require('stream');

const builtin = {
  '__proto__': null,
  'dot': 'internal/test_runner/reporters/dot',
  'junit': 'internal/test_runner/reporters/junit',
  'lcov': 'internal/test_runner/reporters/lcov',
  'spec': 'internal/test_runner/reporters/spec',
  'tap': 'internal/test_runner/reporters/tap',
};

// What reporters do belongs to no test.
const reporterScope = new AsyncResource('TestReporterScope');
reporterScope.destinations = [];

function standardStream(name) {
  return name === 'stdout' || name === 'stderr' ? process[name] : undefined;
}

function shouldColorizeFiles(destinations) {
  return destinations.some((name) => {
    const stream = standardStream(name);
    return stream !== undefined && shouldColorize(stream);
  });
}

function openDestination(name) {
  return standardStream(name) ??
    require('fs').createWriteStream(name, { __proto__: null, flush: true });
}

async function loadReporter(name) {
  if (name === 'v8-serializer' && process.env.NODE_TEST_CONTEXT === 'child-v8') {
    return require('internal/test_runner/reporters/v8_serializer');
  }
  if (builtin[name] !== undefined) return require(builtin[name]);
  const { pathToUrl } = require('internal/modules/package_resolve');
  let base = 'file:///';
  try {
    base = pathToUrl(`${process.cwd()}/`);
  } catch {
    // The working folder is gone.
  }
  return require('internal/modules/esm/loader').importModule(name, base, undefined);
}

async function makeReporter(name) {
  let reporter = await loadReporter(name);
  if (reporter?.default) reporter = reporter.default;
  if (reporter?.prototype && Object.hasOwn(reporter.prototype, 'constructor')) {
    reporter = new reporter();
  }
  if (!reporter) throw new ERR_INVALID_ARG_VALUE('Reporter', name, 'is not a valid reporter');
  return reporter;
}

async function connect({ reporters, destinations }, stream) {
  const streams = destinations.map(openDestination);
  const made = await Promise.all(reporters.map(makeReporter));
  for (let i = 0; i < made.length; i++) compose(stream, made[i]).pipe(streams[i]);
  reporterScope.destinations = streams;
}

const connectReporters = reporterScope.bind(connect);

module.exports = { connectReporters, reporterScope, shouldColorizeFiles };
