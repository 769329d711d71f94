'use strict';
// The options for tests on the command line, checked.

const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { validatePath } = require('internal/fs/utils');
const { getOptionValue } = require('internal/options');
const { emitExperimentalWarning } = require('internal/util');
const { toTag } = require('internal/test_runner/tags');
const { validateInteger, validateUint32 } = require('internal/validators');

const kRegExp = /^\/(.*)\/([a-z]*)$/;

// "/text/flags", or the text alone
function toRegExp(text, name) {
  const [, pattern = text, flags = ''] = kRegExp.exec(text) ?? [];
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    throw new ERR_INVALID_ARG_VALUE(name, text,
      `is an invalid regular expression.${error?.message ? ` ${error.message}` : ''}`);
  }
}

function patternsOf(option) {
  const texts = getOptionValue(option);
  return texts?.length > 0 ? texts.map((text) => toRegExp(text, option)) : null;
}

function tagFiltersOf(option) {
  const texts = getOptionValue(option);
  if (!texts?.length) return null;
  emitExperimentalWarning('Test tags');
  return texts.map((text, i) => toTag(text, `${option}[${i}]`));
}

// Which files have tests, by default.
function defaultPattern() {
  const names = ['test', 'test/**/*', 'test-*', '*[._-]test'];
  const endings = ['js', 'mjs', 'cjs'];
  if (getOptionValue('--strip-types') !== false) endings.push('ts', 'mts', 'cts');
  return `**/{${names.join(',')}}.{${endings.join(',')}}`;
}

function reportersOf() {
  switch (process.env.NODE_TEST_CONTEXT) {
    case 'child-v8': return { reporters: ['v8-serializer'], destinations: ['stdout'] };
    case 'child': return { reporters: ['tap'], destinations: ['stdout'] };
  }
  const reporters = [...getOptionValue('--test-reporter') ?? []];
  const destinations = [...getOptionValue('--test-reporter-destination') ?? []];
  if (reporters.length === 0 && destinations.length === 0) reporters.push('spec');
  if (reporters.length === 1 && destinations.length === 0) destinations.push('stdout');
  if (reporters.length !== destinations.length) {
    throw new ERR_INVALID_ARG_VALUE('--test-reporter', reporters,
      "must match the number of specified '--test-reporter-destination'");
  }
  return { reporters, destinations, globalSetupPath: getOptionValue('--test-global-setup') };
}

function shardOf(text) {
  if (!text) return undefined;
  if (!/^\d+\/\d+$/.test(text)) {
    throw new ERR_INVALID_ARG_VALUE('--test-shard', text, 'must be in the form of <index>/<total>');
  }
  const [index, total] = text.split('/').map(Number);
  return { __proto__: null, index, total };
}

// What --test changes: most of it is for the processes of the files.
function ofRunner(config) {
  config.isolation = getOptionValue('--test-isolation') ?? 'process';
  if (config.isolation !== 'process' && config.isolation !== 'none') {
    throw new ERR_INVALID_ARG_VALUE('--test-isolation', config.isolation,
      "must be one of: 'process', 'none'");
  }
  if (config.isolation === 'none') {
    config.concurrency = 1;
  } else {
    config.concurrency = Number(getOptionValue('--test-concurrency')) || true;
    config.only = false;
    config.testNamePatterns = null;
    config.testSkipPatterns = null;
    config.testTagFilters = null;
  }
  config.shard = shardOf(getOptionValue('--test-shard'));
}

function readSeed(config) {
  const text = getOptionValue('--test-random-seed');
  if (text === undefined) return;
  const seed = Number(text);
  validateUint32(seed, '--test-random-seed');
  config.randomSeed = seed;
  config.randomize = true;
}

function thresholdOf(option) {
  const value = Number(getOptionValue(option) ?? 0);
  validateInteger(value, option, 0, 100);
  return value;
}

function coverageOf() {
  if (getOptionValue('--experimental-test-coverage') !== true) return { coverage: false };
  const excluded = getOptionValue('--test-coverage-exclude') ?? [];
  return {
    coverage: true,
    coverageIncludeAll: getOptionValue('--test-coverage-include-all') === true,
    coverageExcludeGlobs: excluded.length > 0 ? excluded : [defaultPattern()],
    coverageIncludeGlobs: getOptionValue('--test-coverage-include') ?? [],
    branchCoverage: thresholdOf('--test-coverage-branches'),
    lineCoverage: thresholdOf('--test-coverage-lines'),
    functionCoverage: thresholdOf('--test-coverage-functions'),
  };
}

let parsed;

function parseCommandLine() {
  if (parsed !== undefined) return parsed;
  const config = {
    __proto__: null,
    isTestRunner: getOptionValue('--test') === true,
    concurrency: 1,
    forceExit: getOptionValue('--test-force-exit') === true,
    isolation: undefined,
    only: getOptionValue('--test-only') === true,
    shard: undefined,
    sourceMaps: getOptionValue('--enable-source-maps') === true,
    testNamePatterns: patternsOf('--test-name-pattern'),
    testSkipPatterns: patternsOf('--test-skip-pattern'),
    testTagFilterExpressions: getOptionValue('--experimental-test-tag-filter') ?? null,
    testTagFilters: tagFiltersOf('--experimental-test-tag-filter'),
    timeout: Number(getOptionValue('--test-timeout')) || Infinity,
    updateSnapshots: getOptionValue('--test-update-snapshots') === true,
    randomize: getOptionValue('--test-randomize') === true,
    randomSeed: undefined,
    rerunFailuresFilePath: getOptionValue('--test-rerun-failures'),
    ...coverageOf(),
    ...reportersOf(),
  };
  if (config.isTestRunner) ofRunner(config);
  if (config.rerunFailuresFilePath) {
    validatePath(config.rerunFailuresFilePath, '--test-rerun-failures');
  }
  readSeed(config);
  parsed = config;
  return config;
}

module.exports = { defaultPattern, parseCommandLine, toRegExp };
