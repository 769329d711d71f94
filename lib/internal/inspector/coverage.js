'use strict';
// NODE_V8_COVERAGE, and coverage of tests: counts how often each piece of code runs, and writes a file of the counts when the program ends or
// asks for it (v8.takeCoverage()). Each thread and each child process writes its own.

const path = require('path');
const { exitState } = require('internal/process/exit_state');
const { entriesOfSourceMaps, state: sourceMaps } = require('internal/source_map/support');
const { Connection } = binding('inspector');

let counter; // undefined without NODE_V8_COVERAGE, or when it was stopped

class Counter {
  #answer; // to the last request: each answer comes before dispatch() returns
  #connection = new Connection((message) => {
    const parsed = JSON.parse(message);
    if (parsed.id !== undefined) this.#answer = parsed;
  });
  #folder;

  // Without a folder nothing is written, until writeTo().
  constructor(folder) {
    this.#folder = folder;
    this.#post('Profiler.enable');
    this.#post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  #post(method, params = {}) {
    this.#connection.dispatch(JSON.stringify({ id: 1, method, params }));
    const { error, result } = this.#answer;
    if (error !== undefined) throw new Error(error.message);
    return result;
  }

  writeTo(folder) {
    this.#folder = folder;
  }

  write() {
    if (this.#folder === undefined) return;
    const fs = require('fs');
    const { threadId } = require('worker_threads');
    const file = path.join(this.#folder, `coverage-${process.pid}-${Date.now()}-${threadId}.json`);
    try {
      const profile = this.#post('Profiler.takePreciseCoverage');
      const maps = entriesOfSourceMaps();
      if (maps !== undefined) profile['source-map-cache'] = maps;
      fs.mkdirSync(this.#folder, { recursive: true });
      fs.writeFileSync(file, JSON.stringify(profile));
    } catch (error) {
      process._rawDebug(`Cannot write the coverage to ${file}: ${error.message}`);
    }
  }

  stop() {
    this.#post('Profiler.stopPreciseCoverage');
    this.#post('Profiler.disable');
    this.#connection.disconnect();
  }
}

// Children get the variable with the folder that this program means.
function start() {
  const given = process.env.NODE_V8_COVERAGE;
  const folder = given ? path.resolve(given) : undefined;
  if (given) process.env.NODE_V8_COVERAGE = folder;
  counter = new Counter(folder);
  sourceMaps.isKept = true;
  const { writeProfiles } = exitState;
  exitState.writeProfiles = () => {
    exitState.writeProfiles = undefined;
    takeCoverage();
    writeProfiles?.();
  };
}

// From now on, files are written to this folder.
function countInto(folder) {
  if (counter === undefined) start();
  counter.writeTo(folder);
}

function takeCoverage() {
  counter?.write();
}

function stopCoverage() {
  counter?.stop();
  counter = undefined;
}

module.exports = { countInto, start, stopCoverage, takeCoverage };
