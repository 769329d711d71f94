'use strict';
// What several processes have counted of one file, as one.

function isSameRange(one, other) {
  return one.startOffset === other.startOffset && one.endOffset === other.endOffset;
}

function contains(outer, inner) {
  return outer.startOffset <= inner.startOffset && outer.endOffset >= inner.endOffset;
}

function isSameFunction(one, other) {
  const [first] = one.ranges ?? [];
  const [second] = other.ranges ?? [];
  return one.functionName === other.functionName && first?.startOffset === second?.startOffset &&
    first?.endOffset === second?.endOffset;
}

// What ran in one of them ran. What did not run is what did not run in both.
function mergeRanges(known, added) {
  const kept = new Set(known.filter(({ count }) => count > 0));
  for (const range of added) {
    let isKnown = false;
    for (const other of known) {
      if (isSameRange(range, other)) {
        other.count += range.count;
        kept.add(other);
        isKnown = true;
        break;
      }
      if (other.count !== 0 || range.count !== 0) continue;
      if (contains(other, range)) kept.add(range);
      else if (contains(range, other)) kept.add(other);
    }
    if (range.count > 0 && !isKnown) kept.add(range);
  }
  return [...kept];
}

// V8 lists a function only in a process that came across it.
function mergeScripts(known, added) {
  for (const candidate of added.functions) {
    const same = known.functions.find((other) => isSameFunction(candidate, other));
    if (same === undefined) {
      known.functions.push(candidate);
    } else if (candidate.isBlockCoverage) {
      same.ranges = same.isBlockCoverage ? mergeRanges(same.ranges, candidate.ranges) : candidate.ranges;
      same.isBlockCoverage = true;
    }
  }
}

module.exports = { mergeScripts };
