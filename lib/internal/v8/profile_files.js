'use strict';
// Profiles of a whole program, by --cpu-prof and --heap-prof, and --heapsnapshot-signal: on each
// thread, with the options of the command line or of its Worker.

const { exitState } = require('internal/process/exit_state');
const { getOptionValue } = require('internal/options');
const { validateSignalName } = require('internal/validators');
const native = binding('v8');

const kMostSamples = 2 ** 32 - 1;
const kHeapInterval = 512 * 1024;
const kHeapDepth = 128;

let filesWritten = 0;

// Heap.20190409.202950.15293.0.001.heapsnapshot
function defaultName(kind, extension) {
  const now = new Date();
  const two = (number) => `${number}`.padStart(2, '0');
  const date = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  const time = `${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
  const number = `${++filesWritten}`.padStart(3, '0');
  const { threadId } = require('worker_threads');
  return `${kind}.${date}.${time}.${process.pid}.${threadId}.${number}.${extension}`;
}

function write(profile, option, kind, extension) {
  const fs = require('fs');
  const path = require('path');
  const given = getOptionValue(`${option}-name`);
  const name = given ? given.replaceAll('${pid}', `${process.pid}`) : defaultName(kind, extension);
  const folder = path.resolve(getOptionValue(`${option}-dir`) || getOptionValue('--diagnostic-dir') || '');
  try {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, name), profile);
  } catch (error) {
    process._rawDebug(`Cannot write the profile of ${option}: ${error.message}`);
  }
}

function writeNearHeapLimit(write, count) {
  const folder = require('path').resolve(getOptionValue('--diagnostic-dir') || '');
  require('internal/process/permission').check('fs.write', folder);
  write(count, folder, require('worker_threads').threadId);
}

// Snapshots of the heap when it has reached its limit, `count` at most.
function snapshotNearHeapLimit(count) {
  writeNearHeapLimit(native.snapshotNearHeapLimit, count);
}

// The same of a profile of allocations.
function profileNearHeapLimit(count) {
  writeNearHeapLimit(native.profileNearHeapLimit, count);
}

function start() {
  const limit = Number(getOptionValue('--heapsnapshot-near-heap-limit') ?? 0);
  if (limit > 0) snapshotNearHeapLimit(limit);
  const signal = getOptionValue('--heapsnapshot-signal');
  if (signal && require('worker_threads').isMainThread) {
    validateSignalName(signal);
    process.on(signal, () => require('v8').writeHeapSnapshot());
  }
  const cpu = getOptionValue('--cpu-prof') ?
    native.startCpuProfile(Number(getOptionValue('--cpu-prof-interval') ?? 0), kMostSamples) :
    undefined;
  const heap = getOptionValue('--heap-prof') === true &&
    native.startHeapProfile(Number(getOptionValue('--heap-prof-interval') ?? kHeapInterval), kHeapDepth, 0);
  exitState.writeProfiles = () => {
    exitState.writeProfiles = undefined;
    if (cpu !== undefined) write(native.stopCpuProfile(cpu), '--cpu-prof', 'CPU', 'cpuprofile');
    if (heap) write(native.stopHeapProfile(), '--heap-prof', 'Heap', 'heapprofile');
  };
}

module.exports = { defaultName, profileNearHeapLimit, snapshotNearHeapLimit, start };
