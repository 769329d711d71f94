// rondo-test: scratch
'use strict';
// process.report: what a report has, its settings and their errors, and where it is written.
const fs = require('fs');

function shape(value) {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}

const report = process.report.getReport();
for (const [name, section] of Object.entries(report)) {
  if (name !== 'environmentVariables') console.log(name, shape(section));
}
for (const name of ['header', 'javascriptHeap', 'resourceUsage', 'uvthreadResourceUsage', 'userLimits']) {
  console.log(name, Object.keys(report[name]).filter((key) => key !== 'constrained_memory').join());
}
console.log(report.header.event, report.header.trigger, report.header.filename, report.header.threadId);
console.log(report.javascriptStack.message, report.javascriptStack.errorProperties);
console.log(report.libuv.at(-1).type, report.workers);

const error = new TypeError('wrong');
error.code = 'ERR_WRONG';
error.count = 3;
console.log(process.report.getReport(error).javascriptStack.message, process.report.getReport(error).javascriptStack.errorProperties);

const descriptor = Object.getOwnPropertyDescriptor(process, 'report');
console.log(descriptor.enumerable, descriptor.configurable, Object.keys(process.report));

for (const [name, value] of Object.entries({ directory: 1, filename: null, compact: 'yes', excludeNetwork: 0, excludeEnv: 1,
  signal: 'SIGNOPE', reportOnFatalError: 1, reportOnSignal: 1, reportOnUncaughtException: 1 })) {
  try {
    process.report[name] = value;
  } catch (thrown) {
    console.log(name, thrown.code, thrown.message);
  }
}
for (const args of [[1], ['file', 1], [null], [undefined, 'x']]) {
  try {
    process.report.writeReport(...args);
  } catch (thrown) {
    console.log(thrown.code, thrown.message);
  }
}

process.report.compact = true;
process.report.excludeEnv = true;
process.report.excludeNetwork = true;
fs.mkdirSync('reports');
process.report.directory = 'reports';
console.log(process.report.writeReport('mine.json', error));
const text = fs.readFileSync('reports/mine.json', 'utf8');
const written = JSON.parse(text);
console.log(text.indexOf('\n') === text.length - 1, 'environmentVariables' in written, 'networkInterfaces' in written.header,
  written.header.filename, written.header.trigger);
process.report.directory = 'missing';
console.log([process.report.writeReport('mine.json')]);
