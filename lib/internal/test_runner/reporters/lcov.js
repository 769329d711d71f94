'use strict';
// Coverage in the format of lcov.

const path = require('path');
const { Transform } = require('stream');

function functionsOf({ functions }) {
  const named = functions.map(({ count, line, name }, i) =>
    ({ count, line, name: name || `anonymous_${i}` }));
  return [
    ...named.map(({ line, name }) => `FN:${line},${name}`),
    ...named.map(({ count, name }) => `FNDA:${count},${name}`),
  ];
}

function recordOf(file, folder) {
  const lines = file.lines.toSorted((a, b) => a.line - b.line);
  return [
    `SF:${path.relative(folder, file.path)}`,
    ...functionsOf(file),
    `FNF:${file.totalFunctionCount}`,
    `FNH:${file.coveredFunctionCount}`,
    ...file.branches.map(({ count, line }, i) => `BRDA:${line},${i},0,${count}`),
    `BRF:${file.totalBranchCount}`,
    `BRH:${file.coveredBranchCount}`,
    ...lines.map(({ count, line }) => `DA:${line},${count}`),
    `LH:${file.coveredLineCount}`,
    `LF:${file.totalLineCount}`,
    'end_of_record',
    '',
  ].join('\n');
}

class LcovReporter extends Transform {
  constructor(options) {
    super({ ...options, writableObjectMode: true, __proto__: null });
  }

  _transform({ type, data }, encoding, callback) {
    if (type !== 'test:coverage') return callback(null);
    let text = 'TN:\n';
    try {
      const { files, workingDirectory } = data.summary;
      for (const file of files) text += recordOf(file, workingDirectory);
    } catch (error) {
      return callback(error);
    }
    return callback(null, text);
  }
}

module.exports = LcovReporter;
