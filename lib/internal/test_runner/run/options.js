'use strict';
// The options of run(), checked in the order in which Node does.

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE },
} = require('internal/errors');
const { validatePath } = require('internal/fs/utils');
const { emitExperimentalWarning } = require('internal/util');
const { isRegExp } = require('internal/util/types');
const { defaultPattern, toRegExp } = require('internal/test_runner/config');
const { toTag } = require('internal/test_runner/tags');
const {
  validateArray, validateBoolean, validateFunction, validateInteger, validateObject, validateOneOf,
  validateString, validateStringArray, validateUint32,
} = require('internal/validators');

function refuse(name, value, reason) {
  throw new ERR_INVALID_ARG_VALUE(name, value, reason);
}

function ifGiven(value, validate, name, ...more) {
  if (value != null) validate(value, name, ...more);
}

function toList(value) {
  return Array.isArray(value) ? value : [value];
}

function patternsOf(value, name) {
  if (value == null) return value;
  return toList(value).map((pattern, i) => {
    if (isRegExp(pattern)) return pattern;
    const where = `${name}[${i}]`;
    if (typeof pattern === 'string') return toRegExp(pattern, where);
    throw new ERR_INVALID_ARG_TYPE(where, ['string', 'RegExp'], pattern);
  });
}

function tagFiltersOf(value) {
  if (value == null) return null;
  const list = toList(value);
  if (list.length === 0) return null;
  emitExperimentalWarning('Test tags');
  return list.map((tag, i) => toTag(tag, `options.testTagFilters[${i}]`));
}

// -> { randomize, randomSeed }
function randomOf({ randomize, randomSeed, rerunFailuresFilePath, watch }) {
  ifGiven(randomize, validateBoolean, 'options.randomize');
  ifGiven(randomSeed, validateUint32, 'options.randomSeed');
  if (randomSeed != null) randomize = true;
  const refuseBoth = (reason) => {
    if (randomSeed != null) refuse('options.randomSeed', randomSeed, reason);
    if (randomize) refuse('options.randomize', randomize, reason);
  };
  if (watch) refuseBoth('is not supported with watch mode');
  if (rerunFailuresFilePath) {
    validatePath(rerunFailuresFilePath, 'options.rerunFailuresFilePath');
    refuseBoth('is not supported with rerun failures mode');
  }
  if (randomize) randomSeed ??= Math.floor(Math.random() * 2 ** 32);
  return { randomize, randomSeed };
}

function shardOf(value, watch) {
  if (value == null) return undefined;
  validateObject(value, 'options.shard');
  const shard = { __proto__: null, index: value.index, total: value.total };
  validateInteger(shard.total, 'options.shard.total', 1);
  validateInteger(shard.index, 'options.shard.index', 1, shard.total);
  if (watch) refuse('options.shard', watch, 'shards not supported with watch mode');
  return shard;
}

function coverageOf(options) {
  const { coverage = false, coverageIncludeAll = false } = options;
  validateBoolean(coverage, 'options.coverage');
  validateBoolean(coverageIncludeAll, 'options.coverageIncludeAll');
  for (const name of ['coverageExcludeGlobs', 'coverageIncludeGlobs']) {
    if (options[name] != null) validateStringArray(toList(options[name]), `options.${name}`);
  }
  for (const name of ['lineCoverage', 'branchCoverage', 'functionCoverage']) {
    validateInteger(options[name] ?? 0, `options.${name}`, 0, 100);
  }
  const { coverageExcludeGlobs: excluded, coverageIncludeGlobs: included } = options;
  return {
    coverage,
    coverageIncludeAll,
    coverageExcludeGlobs: excluded == null ? [defaultPattern()] : toList(excluded),
    coverageIncludeGlobs: included == null ? [] : toList(included),
    lineCoverage: options.lineCoverage ?? 0,
    branchCoverage: options.branchCoverage ?? 0,
    functionCoverage: options.functionCoverage ?? 0,
  };
}

function validateFilesAndMode({ files, forceExit, globPatterns, only, watch }) {
  ifGiven(files, validateArray, 'options.files');
  ifGiven(watch, validateBoolean, 'options.watch');
  ifGiven(forceExit, validateBoolean, 'options.forceExit');
  if (forceExit && watch) refuse('options.forceExit', watch, 'is not supported with watch mode');
  ifGiven(only, validateBoolean, 'options.only');
  ifGiven(globPatterns, validateArray, 'options.globPatterns');
}

function validateProcess({ argv = [], env, execArgv = [], globalSetupPath, isolation }) {
  validateStringArray(argv, 'options.argv');
  validateStringArray(execArgv, 'options.execArgv');
  ifGiven(globalSetupPath, validatePath, 'options.globalSetupPath');
  if (env == null) return;
  validateObject(env);
  if (isolation === 'none') refuse('options.env', env, "is not supported with isolation='none'");
}

function parseRunOptions(options) {
  validateObject(options, 'options');
  const { cwd = process.cwd(), files, globPatterns, isolation = 'process', setup } = options;
  validateFilesAndMode(options);
  const random = randomOf(options);
  validateString(cwd, 'options.cwd');
  if (globPatterns?.length > 0 && files?.length > 0) {
    refuse('options.globPatterns', globPatterns,
      "is not supported when specifying 'options.files'");
  }
  const shard = shardOf(options.shard, options.watch);
  ifGiven(setup, validateFunction, 'options.setup');
  const testNamePatterns = patternsOf(options.testNamePatterns, 'options.testNamePatterns');
  const testSkipPatterns = patternsOf(options.testSkipPatterns, 'options.testSkipPatterns');
  const testTagFilters = tagFiltersOf(options.testTagFilters);
  validateOneOf(isolation, 'options.isolation', ['process', 'none']);
  const coverage = coverageOf(options);
  validateProcess({ ...options, isolation });
  return {
    __proto__: null,
    concurrency: options.concurrency,
    timeout: options.timeout,
    signal: options.signal,
    files,
    globPatterns,
    forceExit: options.forceExit,
    only: options.only,
    watch: options.watch === true,
    ofCoverage: coverage,
    argv: options.argv ?? [],
    execArgv: options.execArgv ?? [],
    inspectPort: options.inspectPort,
    env: options.env,
    globalSetupPath: options.globalSetupPath,
    rerunFailuresFilePath: options.rerunFailuresFilePath,
    testTagFilterExpressions: testTagFilters ?? options.testTagFilterExpressions,
    cwd, isolation, setup, shard, testNamePatterns, testSkipPatterns, testTagFilters, ...random,
  };
}

module.exports = { parseRunOptions };
