'use strict';
// Which tests run: by name, by tag, by `only`. What a suite or test holds may be wanted though it is not
// itself; so a test that is wanted takes its parents along.

function namesMatch(test, patterns) {
  for (let current = test; current !== null; current = current.parent) {
    if (patterns.some((pattern) => matches(pattern, current.name) ||
        matches(pattern, pathOf(current)))) return true;
  }
  return false;
}

// A pattern with the flag g or y has a state; it is not ours.
function matches(pattern, text) {
  return pattern.exec(text) !== null;
}

// The names of a test and all around it, with spaces.
function pathOf(test) {
  let path = '';
  for (let current = test; current.parent !== null; current = current.parent) {
    path = path === '' ? current.name : `${current.name} ${path}`;
  }
  return path.trim();
}

function isUnwantedByName(test, { testNamePatterns, testSkipPatterns }) {
  if (testNamePatterns && !namesMatch(test, testNamePatterns)) return true;
  return Boolean(testSkipPatterns) && namesMatch(test, testSkipPatterns);
}

function keepParents(test, field) {
  for (let outer = test.parent; outer !== null && outer[field]; outer = outer.parent) {
    outer[field] = false;
  }
}

function filterByNameAndTag(test, { config, filtersNames, filtersTags }) {
  if (filtersNames) {
    test.isUnwantedByName = isUnwantedByName(test, config);
    if (!test.isUnwantedByName) keepParents(test, 'isUnwantedByName');
  }
  if (filtersTags) {
    test.isUnwantedByTag = !config.testTagFilters.every((tag) => test.tagSet.has(tag));
    if (!test.isUnwantedByTag) keepParents(test, 'isUnwantedByTag');
  }
}

const kOnlyNeedsOption = "'only' and 'runOnly' require the --test-only command-line option.";

// Whether the function of the test is not called for the sake of `only`.
function filterByOnly(test, { filtersOnly }) {
  const { only, parent } = test;
  if (!filtersOnly) {
    if (only || parent.runsOnlySubtests) test.diagnostic(kOnlyNeedsOption);
    return false;
  }
  if (!only) return only === false;
  parent.runsOnlySubtests = true;
  if (parent === test.root || parent.startTime === null) {
    for (let outer = parent; outer !== null && !outer.hasOnlyTests; outer = outer.parent) {
      outer.hasOnlyTests = true;
    }
  }
  return false;
}

// When the test is about to start.
function isFiltered(test) {
  if (test.error) return false; // errors are always shown
  if (test.isUnwantedByName) return true;
  const { parent } = test;
  if (test.root.harness.filtersOnly && !test.only && !test.hasOnlyTests &&
      (parent.runsOnlySubtests || parent.hasOnlyTests || test.only === false)) return true;
  return test.isUnwantedByTag;
}

module.exports = { filterByNameAndTag, filterByOnly, isFiltered };
