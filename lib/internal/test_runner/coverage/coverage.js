'use strict';
// --experimental-test-coverage: which code of the program the tests have run. V8 counts in each process, which writes a
// file (internal/inspector/coverage); at the end the files become one summary.

const path = require('path');
const { codes: { ERR_OPERATION_FAILED } } = require('internal/errors');
const { coverLines } = require('internal/test_runner/coverage/lines');
const { mapScripts } = require('internal/test_runner/coverage/source_maps');
const { mergeScripts } = require('internal/test_runner/coverage/merge');
const { SourceTable } = require('internal/test_runner/coverage/source_table');
const { createMatcher } = require('internal/fs/glob');
const { URL, fileURLToPath, pathToFileURL } = require('internal/url');

const kFile = /^coverage-\d+-\d{13}-\d+\.json$/;
const kSources = '**/*.{cjs,cts,js,mjs,mts,ts}';

function percentage(covered, total) {
  return total === 0 ? 100 : covered / total * 100;
}

function readFile(file) {
  const text = require('fs').readFileSync(file, 'utf8');
  if (text.length === 0) throw new ERR_OPERATION_FAILED(`coverage file is empty: ${file}`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const error = new ERR_OPERATION_FAILED(`failed to parse coverage file ${file}: ${cause.message}`);
    error.cause = cause;
    throw error;
  }
}

// ---- Which files count ----

class FileFilter {
  #cwd;
  #excluded;
  #included;
  #known = new Map();

  constructor({ cwd, coverageExcludeGlobs, coverageIncludeGlobs }) {
    this.#cwd = cwd;
    // Names that begin with a dot match below the folder of the program, not above it.
    const matching = (patterns) => (patterns ?? []).map((pattern) => {
      const relative = createMatcher(pattern, { __proto__: null, dot: true });
      const absolute = createMatcher(pattern);
      return (file, name) => relative.match(name) || absolute.match(file);
    });
    this.#excluded = matching(coverageExcludeGlobs);
    this.#included = matching(coverageIncludeGlobs);
  }

  skips(url) {
    let isSkipped = this.#known.get(url);
    if (isSkipped === undefined) this.#known.set(url, isSkipped = this.#find(url));
    return isSkipped;
  }

  #find(url) {
    if (!url.startsWith('file:')) return true;
    const file = fileURLToPath(url);
    const name = path.relative(this.#cwd, file);
    if (this.#excluded.some((matches) => matches(file, name))) return true;
    if (this.#included.length > 0) return !this.#included.some((matches) => matches(file, name));
    return Boolean(new URL(url).searchParams.get('node-test-mock')) || url.includes('/node_modules/');
  }
}

// ---- The summary ----

function isCovered(range, touched) {
  return range.count !== 0 || touched.every(({ isIgnored }) => isIgnored);
}

function summarizeFile({ functions, url }, lines) {
  const found = { __proto__: null, functions: [], branches: [], lines: [] };
  let coveredBranches = 0;
  let coveredFunctions = 0;
  functions.forEach(({ functionName, isBlockCoverage, ranges }, index) => {
    const touched = ranges.map((range) => coverLines(range, lines));
    if (isBlockCoverage) {
      ranges.forEach((range, i) => {
        found.branches.push({ __proto__: null, line: touched[i][0]?.number, count: range.count });
        if (isCovered(range, touched[i])) coveredBranches++;
      });
    }
    // The first is the file itself.
    if (index === 0 || ranges.length === 0) return;
    const count = ranges.reduce((most, range) => Math.max(most, range.count), 0);
    found.functions.push({ __proto__: null, name: functionName, count, line: touched[0][0]?.number });
    if (isCovered(ranges[0], touched[0])) coveredFunctions++;
  });
  let coveredLines = 0;
  for (const { number, isIgnored, count } of lines) {
    if (!isIgnored) found.lines.push({ __proto__: null, line: number, count });
    if (count > 0 || isIgnored) coveredLines++;
  }
  return {
    __proto__: null,
    path: fileURLToPath(url),
    ...withPercentages({
      totalLineCount: lines.length,
      totalBranchCount: found.branches.length,
      totalFunctionCount: found.functions.length,
      coveredLineCount: coveredLines,
      coveredBranchCount: coveredBranches,
      coveredFunctionCount: coveredFunctions,
    }),
    ...found,
  };
}

function withPercentages(counts) {
  return {
    __proto__: null,
    ...counts,
    coveredLinePercent: percentage(counts.coveredLineCount, counts.totalLineCount),
    coveredBranchPercent: percentage(counts.coveredBranchCount, counts.totalBranchCount),
    coveredFunctionPercent: percentage(counts.coveredFunctionCount, counts.totalFunctionCount),
  };
}

const kCounts = [
  'totalLineCount', 'totalBranchCount', 'totalFunctionCount', 'coveredLineCount', 'coveredBranchCount',
  'coveredFunctionCount',
];

function totalOf(files) {
  const sums = kCounts.map((name) => [name, files.reduce((sum, file) => sum + file[name], 0)]);
  return withPercentages(Object.fromEntries(sums));
}

class Coverage {
  #config;
  #folder;
  #givenFolder; // of NODE_V8_COVERAGE
  #filter;
  #sources = new SourceTable();

  constructor(config) {
    const fs = require('fs');
    const os = require('os');
    this.#config = config;
    this.#filter = new FileFilter(config);
    const given = process.env.NODE_V8_COVERAGE;
    this.#givenFolder = given ? path.resolve(config.cwd, given) : undefined;
    // A folder of its own: files of other runs must not count.
    this.#folder = fs.mkdtempSync(path.join(os.tmpdir(), 'node-coverage-'));
    require('internal/inspector/coverage').countInto(this.#folder);
    process.env.NODE_V8_COVERAGE = this.#folder; // for child processes
  }

  #scripts() {
    const scripts = new Map();
    const skips = (url) => this.#filter.skips(url);
    for (const name of require('fs').readdirSync(this.#folder)) {
      if (!kFile.test(name)) continue;
      const coverage = readFile(path.join(this.#folder, name));
      const mapped = this.#config.sourceMaps ? mapScripts(coverage, this.#sources, skips) : coverage.result;
      for (const script of mapped) {
        if (skips(script.url)) continue;
        const known = scripts.get(script.url);
        if (known === undefined) scripts.set(script.url, script);
        else mergeScripts(known, script);
      }
    }
    if (this.#config.coverageIncludeAll) this.#addUntested(scripts);
    return [...scripts.values()];
  }

  // Files that no test has loaded.
  #addUntested(scripts) {
    const { cwd } = this.#config;
    for (const name of require('fs').globSync(kSources, { __proto__: null, cwd, exclude: (name) => name === 'node_modules' })) {
      const url = pathToFileURL(path.resolve(cwd, name)).href;
      if (scripts.has(url) || this.#filter.skips(url)) continue;
      this.#sources.ignoreTypes(url);
      const last = this.#sources.lines(url)?.at(-1);
      if (last === undefined) continue;
      const range = { __proto__: null, startOffset: 0, endOffset: last.start + last.text.length, count: 0 };
      scripts.set(url, { __proto__: null, url,
        functions: [{ __proto__: null, functionName: '', isBlockCoverage: false, ranges: [range] }] });
    }
  }

  summary() {
    // With --test, what runs here is not the program, unless its files run here too.
    const { isTestRunner, isolation } = this.#config;
    if (!isTestRunner || isolation === 'none') require('internal/inspector/coverage').takeCoverage();
    const files = [];
    for (const script of this.#scripts()) {
      const lines = this.#sources.lines(script.url);
      if (lines) files.push(summarizeFile(script, lines));
    }
    const { cwd, lineCoverage, branchCoverage, functionCoverage } = this.#config;
    return {
      __proto__: null,
      workingDirectory: cwd,
      files: files.sort((a, b) => a.path.localeCompare(b.path)),
      totals: totalOf(files),
      thresholds: { __proto__: null, line: lineCoverage, branch: branchCoverage, function: functionCoverage },
    };
  }

  // What was found goes to the folder that the environment named.
  end() {
    const fs = require('fs');
    require('internal/inspector/coverage').stopCoverage();
    if (this.#givenFolder === undefined) {
      delete process.env.NODE_V8_COVERAGE;
    } else {
      process.env.NODE_V8_COVERAGE = this.#givenFolder;
      fs.mkdirSync(this.#givenFolder, { recursive: true });
      for (const name of fs.readdirSync(this.#folder)) {
        fs.copyFileSync(path.join(this.#folder, name), path.join(this.#givenFolder, name));
      }
    }
    try {
      fs.rmSync(this.#folder, { recursive: true });
    } catch {
      // Something else has removed it.
    }
  }
}

// ---- For the root of the tests: what goes wrong becomes a diagnostic, and the run fails ----

function attempt(root, what, action) {
  try {
    return action();
  } catch (error) {
    root.diagnostic(`Warning: ${what} code coverage. ${error}`);
    root.harness.success = false;
    process.exitCode = 1;
    return undefined;
  }
}

// -> a function that ends it and returns the summary, if there is one
function startCoverage(root) {
  let coverage;
  try {
    coverage = new Coverage(root.config);
  } catch (error) {
    root.diagnostic(`Warning: Code coverage could not be enabled. ${error}`);
    root.harness.success = false;
    process.exitCode = 1;
    return () => undefined;
  }
  return () => {
    const summary = attempt(root, 'Could not report', () => coverage.summary());
    attempt(root, 'Could not clean up', () => coverage.end());
    return summary;
  };
}

module.exports = { startCoverage };
