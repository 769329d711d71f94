'use strict';
const util = require('util');
const path = require('path');

const show = (sites) => sites.map((site) =>
  `${site.functionName || '-'} ${path.basename(site.scriptName)}:${site.lineNumber}:${site.columnNumber}`);

function inner(...args) {
  return util.getCallSites(...args);
}
function outer(...args) {
  return inner(...args);
}

console.log(show(outer(3)));
console.log(show(inner(1)));
console.log(outer().length > 3, outer(200).length > 3);
const [site] = inner(1);
console.log(Object.keys(site), Object.getPrototypeOf(site));
console.log(typeof site.scriptId, site.column === site.columnNumber);
console.log(show(inner({ sourceMap: false }).slice(0, 1)), show(inner(1, { sourceMap: true })));

// Error.prepareStackTrace and stackTraceLimit do not matter.
Error.prepareStackTrace = () => 'mine';
Error.stackTraceLimit = 0;
console.log(show(inner(1)));
delete Error.prepareStackTrace;
Error.stackTraceLimit = 10;

for (const args of [[0], [201], [1.5], ['1'], [null], [1, 1], [1, { sourceMap: 1 }], [{ sourceMap: 'x' }], [[]]]) {
  try {
    console.log(util.getCallSites(...args).length);
  } catch (error) {
    console.log(error.code, error.message);
  }
}
