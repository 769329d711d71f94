'use strict';
// A character for each test, and at the end those that failed.

const colors = require('internal/util/colors');
const { formatOutcome } = require('internal/test_runner/reporters/text');

function lineLength() {
  return Math.max(process.stdout.columns ?? 20, 20);
}

module.exports = async function* dot(source) {
  const failed = [];
  let inLine = 0;
  let most = lineLength();
  for await (const { type, data } of source) {
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
  if (failed.length === 0) return;
  yield `\n${colors.red}Failed tests:${colors.white}\n\n`;
  for (const data of failed) yield formatOutcome('test:fail', data);
};
