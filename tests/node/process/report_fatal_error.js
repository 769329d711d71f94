// rondo-test: scratch
'use strict';
// process.report of a program that runs out of memory: written by --report-on-fatalerror or by the property, where the settings say.
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');

const fill = `const kept = [];
  setImmediate(function fill() {
    for (let i = 0; i < 1000; i++) kept.push(new Array(100).fill(i));
    setImmediate(fill);
  });`;
const withoutNumbers = (name) => name.replace(/\d+\.\d+\.\d+\.\d+\.\d+/, 'N');

function describe(report) {
  const { header, javascriptHeap: heap } = report;
  console.log(Object.keys(report).filter((key) => !/javascriptHeap|uvthread/.test(key)).join());
  console.log(header.event, header.trigger, withoutNumbers(header.filename), header.nodejsVersion === process.version,
    header.commandLine.length, header.processId > 0, Math.abs(header.dumpEventTimeStamp - Date.now()) < 3.6e6,
    Math.abs(Date.parse(header.dumpEventTime) - Date.now()) < 3.6e6, 'networkInterfaces' in header);
  // Missing where a thread of the collector has run out of memory.
  console.log(heap == null || (heap.memoryLimit === 20 * 2 ** 20 && heap.usedMemory > 5e6 && Object.keys(heap).length === 15 &&
    Object.keys(heap.heapSpaces.old_space).join() === 'memorySize,committedMemory,capacity,used,available'));
  console.log(report.javascriptStack, report.nativeStack.length > 0, /^0x[0-9a-f]+$/.test(report.nativeStack[0].pc));
  console.log(report.libuv.at(-1)?.type ?? 'loop', report.workers, report.sharedObjects.length > 0, report.environmentVariables?.GIVEN);
  console.log(report.resourceUsage.rss > 1e6, report.resourceUsage.userCpuSeconds > 0);
}

function run(options, program) {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, ['--max-heap-size=20', ...options, '-e', program],
    { encoding: 'utf8', env: { ...process.env, GIVEN: 'from outside' } });
  console.log(options.join(' '), status, signal, stdout,
    withoutNumbers(stderr).split('\n').filter((line) => line.includes('report') && !line.startsWith('{')));
  return stderr;
}

run(['--report-on-fatalerror'], fill);
const [name] = fs.readdirSync('.');
console.log(withoutNumbers(name));
describe(JSON.parse(fs.readFileSync(name, 'utf8')));
fs.rmSync(name);

fs.mkdirSync('there');
run(['--report-on-fatalerror', '--report-directory=there', '--report-filename=mine.json', '--report-exclude-env'], fill);
describe(JSON.parse(fs.readFileSync('there/mine.json', 'utf8')));

const stderr = run(['--report-on-fatalerror', '--report-compact', '--report-filename=stderr'], fill);
describe(JSON.parse(stderr.split('\n').find((line) => line.startsWith('{'))));

run([], `process.report.reportOnFatalError = true; process.report.filename = 'late.json'; ${fill}`);
describe(JSON.parse(fs.readFileSync('late.json', 'utf8')));

run(['--report-on-fatalerror'], `process.report.reportOnFatalError = false; ${fill}`);
run(['--report-on-fatalerror', '--report-directory=missing'], fill);
console.log(fs.readdirSync('.').sort());
