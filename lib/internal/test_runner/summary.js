'use strict';
// How many tests there were, and what became of them.

function newCounters() {
  return {
    __proto__: null, tests: 0, failed: 0, passed: 0, cancelled: 0, skipped: 0, todo: 0,
    topLevel: 0, suites: 0,
  };
}

function outcomeOf({ cancelled, isTodo, passed, skipped }) {
  if (skipped) return 'skipped';
  if (isTodo) return 'todo';
  if (cancelled) return 'cancelled';
  return passed ? 'passed' : 'failed';
}

// `test` has ended: a test, or one of another process, by its event.
function count(harness, test) {
  const { counters } = harness;
  if (test.nesting === 0) counters.topLevel++;
  if (test.reportedType === 'suite') {
    counters.suites++;
    if (!test.passed && !test.isTodo) harness.success = false;
    return;
  }
  const outcome = outcomeOf(test);
  counters[outcome]++;
  counters.tests++;
  if (outcome === 'cancelled' || outcome === 'failed') harness.success = false;
}

const kGoals = [
  ['line', 'coveredLinePercent'], ['branch', 'coveredBranchPercent'], ['function', 'coveredFunctionPercent'],
];

function reportCoverage(root, summary) {
  for (const [name, key] of kGoals) {
    const actual = summary.totals[key];
    const wanted = summary.thresholds[name];
    if (!(actual < wanted)) continue;
    root.harness.success = false;
    process.exitCode = 1;
    root.reportDiagnostic(`Error: ${actual.toFixed(2)}% ${name} coverage does not meet threshold of ${wanted}%.`, 'error');
  }
  root.reporter.reportEvent('test:coverage', { __proto__: null, nesting: root.nesting, summary, ...root.location });
}

// At the end of the root.
function report(root) {
  if (root.isReported) return;
  root.isReported = true;
  const { duration, harness } = root;
  const { counters } = harness;
  root.reportPlan(root.nesting, counters.topLevel);
  const coverage = harness.endCoverage?.(); // may add a diagnostic
  harness.snapshots?.writeFiles();
  for (const message of root.diagnostics) root.reportDiagnostic(message);
  root.reportDiagnostic(`tests ${counters.tests}`);
  root.reportDiagnostic(`suites ${counters.suites}`);
  root.reportDiagnostic(`pass ${counters.passed}`);
  root.reportDiagnostic(`fail ${counters.failed}`);
  root.reportDiagnostic(`cancelled ${counters.cancelled}`);
  root.reportDiagnostic(`skipped ${counters.skipped}`);
  root.reportDiagnostic(`todo ${counters.todo}`);
  root.reportDiagnostic(`duration_ms ${duration}`);
  if (coverage !== undefined) reportCoverage(root, coverage);
  root.reporter.reportEvent('test:summary', {
    __proto__: null,
    success: harness.success,
    counts: counters,
    duration_ms: duration,
    file: root.location?.file,
  });
  if (!harness.isWatching) {
    root.reporter.end();
    return;
  }
  // There will be more of it.
  root.isReported = false;
  harness.counters = newCounters();
}

module.exports = { count, newCounters, report };
