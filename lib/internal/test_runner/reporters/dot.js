'use strict';
// A character for each test, and at the end those that failed.

const colors = require('internal/util/colors');
const { colorOf, formatOutcome, symbols } = require('internal/test_runner/reporters/text');

function lineLength() {
  return Math.max(process.stdout.columns ?? 20, 20);
}

module.exports = async function* dot(source) {
  const failed = [];
  const errors = []; // that are not of a test
  let coverage;
  let inLine = 0;
  let most = lineLength();
  for await (const { type, data } of source) {
    if (type === 'test:diagnostic' && data.level === 'error') errors.push(data.message);
    if (type === 'test:coverage') coverage = data.summary;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (type === 'test:fail') failed.push(data);
    yield type === 'test:pass' ? `${colors.green}.${colors.reset}` :
      `${colors.red}X${colors.reset}`;
    if (++inLine !== most) continue;
    yield '\n';
    inLine = 0;
    most = lineLength(); // the terminal may have another size now
  }
  yield '\n';
  for (const message of errors) {
    yield `${colorOf('error')}${symbols['test:diagnostic']}${message}${colors.white}\n`;
  }
  if (errors.length > 0 && coverage !== undefined) {
    const { formatCoverage } = require('internal/test_runner/reporters/coverage_table');
    yield formatCoverage(coverage, symbols['test:coverage'], colors.blue);
  }
  if (failed.length === 0) return;
  yield `\n${colors.red}Failed tests:${colors.white}\n\n`;
  for (const data of failed) yield formatOutcome('test:fail', data);
};
