'use strict';
// The shortest way from one list to another, by Myers' algorithm: which entries both have, which only one.
// An entry of the result is [operation, value].

const { codes: { ERR_OUT_OF_RANGE } } = require('internal/errors');

const kDelete = -1;
const kKeep = 0;
const kInsert = 1;
const kMostEntries = 2 ** 31 - 1;

// "1," and "1" differ only because one is the last of its list.
function areEqual(left, right, ignoreCommas) {
  return left === right || (ignoreCommas && (`${left},` === right || left === `${right},`));
}

// Whether diagonal `k`, at `step` differences, is reached from the one above it.
function comesFromAbove(reached, k, step, middle) {
  return k === -step || (k !== step && reached[middle + k - 1] < reached[middle + k + 1]);
}

// How far each diagonal reaches after 0, 1, 2 ... differences, until the end of both is reached.
function search(actual, expected, ignoreCommas) {
  const most = actual.length + expected.length;
  if (most > kMostEntries) throw new ERR_OUT_OF_RANGE('myersDiff input size', '< 2^31', most);
  const middle = most + 1;
  const reached = new Int32Array(2 * most + 3);
  const steps = [];
  for (let step = 0; step <= most; step++) {
    steps.push(reached.slice(middle - step - 1, middle + step + 2));
    for (let k = -step; k <= step; k += 2) {
      let x = comesFromAbove(reached, k, step, middle) ?
        reached[middle + k + 1] : reached[middle + k - 1] + 1;
      while (x < actual.length && x - k < expected.length &&
             areEqual(actual[x], expected[x - k], ignoreCommas)) x++;
      reached[middle + k] = x;
      if (x >= actual.length && x - k >= expected.length) return steps;
    }
  }
  return steps;
}

// In order, from the first entry to the last.
function myersDiff(actual, expected, ignoreCommas = false) {
  const steps = search(actual, expected, ignoreCommas);
  const result = [];
  let x = actual.length;
  let y = expected.length;
  for (let step = steps.length - 1; step >= 0; step--) {
    const k = x - y;
    const middle = step + 1;
    const previous = comesFromAbove(steps[step], k, step, middle) ? k + 1 : k - 1;
    const startX = steps[step][middle + previous];
    const startY = startX - previous;
    while (x > startX && y > startY) {
      x--;
      y--;
      const takesOther = ignoreCommas && !actual[x].endsWith(',');
      result.push([kKeep, takesOther ? expected[y] : actual[x]]);
    }
    if (step === 0) continue;
    if (x > startX) result.push([kInsert, actual[--x]]);
    else result.push([kDelete, expected[--y]]);
  }
  return result.reverse();
}

module.exports = { kDelete, kInsert, kKeep, myersDiff };
