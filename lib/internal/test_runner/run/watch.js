'use strict';
// run({ watch: true }) and --test --watch: files of tests run again when they, or what they load, change.

const path = require('path');
const { once } = require('events');
const { FilesWatcher } = require('internal/watch_mode/files_watcher');
const { triggerUncaughtException } = binding('errors');

class TestWatch {
  #run;
  #files;
  #runFile; // (file) -> a promise for when it has run
  #listFiles; // (patterns, cwd)
  #watcher;
  #processes = new Map(); // file -> its process
  #tests = new Map(); // file -> the promise of #runFile()

  constructor(run, files, runFile, listFiles) {
    this.#run = run;
    this.#files = files;
    this.#runFile = runFile;
    this.#listFiles = listFiles;
    const { root, signal } = run;
    this.#watcher = new FilesWatcher({ signal });
    if (run.files == null) this.#watcher.watchPath(run.cwd);
    this.#watcher.on('changed', (change) => {
      this.#onChanged(change).catch((error) => triggerUncaughtException(error, true));
    });
    root.harness.isWatching = true;
    signal?.addEventListener('abort', () => {
      root.harness.isWatching = false;
      root.postRun();
    }, { __proto__: null, once: true });
  }

  run(file) {
    const done = this.#runFile(file);
    this.#tests.set(file, done);
    return done;
  }

  // A process was started for a file.
  begin(file, child) {
    this.#processes.set(file, child);
    this.#watcher.watchModulesOf(child, file);
  }

  // It has ended.
  async end(file) {
    const done = this.#tests.get(file);
    this.#processes.delete(file);
    this.#tests.delete(file);
    try {
      await done;
    } finally {
      const { root } = this.#run;
      if (this.#tests.size === 0) {
        root.reporter.reportEvent('test:watch:drained');
        root.postRun();
      }
    }
  }

  async #restart(file) {
    const child = this.#processes.get(file);
    if (child !== undefined) {
      child.kill();
      await once(child, 'exit');
    }
    if (this.#tests.size === 0) this.#run.root.harness.counters.topLevel = 0;
    await this.#tests.get(file);
    this.run(file);
  }

  // Files may have come and gone. Returns the one that is new, null if one has only gone.
  #updateFiles() {
    const { cwd, globPatterns } = this.#run;
    const before = this.#files;
    this.#files = this.#listFiles(globPatterns, cwd);
    const added = this.#files.find((file) => !before.includes(file));
    if (added !== undefined) {
      this.#watcher.filterFile(path.resolve(cwd, added), added);
      return added;
    }
    return before.some((file) => !this.#files.includes(file)) ? null : undefined;
  }

  async #onChanged({ owners }) {
    const { files, isolation, root } = this.#run;
    if (files == null) {
      const added = this.#updateFiles();
      if (added === null) return;
      if (added !== undefined) owners = new Set([added]);
    }
    root.startTime = process.hrtime.bigint();
    root.endTime = null;
    root.reporter.reportEvent('test:watch:restarted');
    if (isolation === 'none') {
      await this.#restart('');
      return;
    }
    this.#watcher.forgetOwners(owners);
    await Promise.all(this.#files.filter((file) => owners.has(file)).map((file) => this.#restart(file)));
  }
}

module.exports = { TestWatch };
