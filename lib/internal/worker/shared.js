'use strict';
// What the two sides of a Worker have in common: the messages on the port between them, data that
// new Workers inherit, and the counter of process.chdir().

// On the inner port, of which the program sees nothing.
const kTypes = {
  __proto__: null,
  load: 'load',
  online: 'online',
  error: 'error',
  unserializableError: 'unserializableError',
  output: 'output',
  wantOutput: 'wantOutput',
};

const { load: AtomicsLoad } = Atomics;

const environmentData = new Map();

function setEnvironmentData(key, value) {
  if (value === undefined) environmentData.delete(key);
  else environmentData.set(key, value);
}

function getEnvironmentData(key) {
  return environmentData.get(key);
}

// The class may be hidden from programs.
function sharedMemory(size) {
  const { SharedArrayBuffer = new WebAssembly.Memory({ initial: 0, maximum: 0, shared: true }).buffer.constructor } =
    globalThis;
  return new SharedArrayBuffer(size);
}

// process.cwd() keeps what it found. A Worker asks again when the main thread has gone elsewhere,
// which it sees in memory that all threads share.
const folder = {
  counter: undefined,
  // On the main thread.
  watch() {
    if (folder.counter !== undefined) return folder.counter;
    folder.counter = new Uint32Array(sharedMemory(4));
    const { chdir } = process;
    process.chdir = { chdir(directory) {
      chdir(directory);
      Atomics.add(folder.counter, 0, 1);
    } }.chdir;
    return folder.counter;
  },
  // In a Worker.
  follow(counter, freshCwd) {
    folder.counter = counter;
    let known;
    let seen = -1;
    process.cwd = { cwd() {
      const current = AtomicsLoad(counter, 0);
      if (current !== seen) {
        seen = current;
        known = freshCwd();
      }
      return known;
    } }.cwd;
  },
};

module.exports = { environmentData, folder, getEnvironmentData, kTypes, setEnvironmentData, sharedMemory };
