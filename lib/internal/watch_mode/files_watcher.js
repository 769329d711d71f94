'use strict';
// Reports changes of files and folders, after a short delay and in one batch: for --watch.

const EventEmitter = require('events');
const path = require('path');
const { addAbortListener } = require('internal/events/abort_listener');

class FilesWatcher extends EventEmitter {
  #watchers = new Map(); // path -> FSWatcher
  #files = new Set(); // of filterFile()
  #owners = new Map(); // file -> the files that depend on it
  #delay;
  #signal;
  #timer;
  #changed = new Set(); // owners, since the last event

  constructor({ debounce = 200, signal } = {}) {
    super();
    this.#delay = debounce;
    this.#signal = signal;
    if (signal) addAbortListener(signal, () => this.clear());
  }

  #onChange(file, eventType) {
    this.#owners.get(file)?.forEach((owner) => this.#changed.add(owner));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.emit('changed', { owners: new Set(this.#changed), eventType, trigger: file });
      this.#changed.clear();
    }, this.#delay);
    this.#timer.unref();
  }

  // A file, or a folder with all that is in it: all its changes count.
  watchPath(name) {
    this.#watch(name, true, () => true);
  }

  #watch(name, recursive, counts) {
    if (this.#watchers.has(name)) return;
    const { watch } = require('fs');
    const watcher = watch(name, { recursive, signal: this.#signal });
    watcher.on('change', (eventType, fileName) => {
      const file = path.resolve(name, fileName ?? '');
      if (counts(file)) this.#onChange(file, eventType);
    });
    watcher.on('error', (error) => this.emit('error', error));
    this.#watchers.set(name, watcher);
  }

  // Changes of a file count from now on, also that it appears or is replaced: its folder is watched.
  // `owner` is named with the event.
  filterFile(file, owner = undefined) {
    if (!file) return;
    try {
      this.#watch(path.dirname(file), false, (changed) => this.#files.has(changed));
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
      return;
    }
    this.#files.add(file);
    if (owner === undefined || owner === null) return;
    const owners = this.#owners.get(file) ?? new Set();
    owners.add(owner);
    this.#owners.set(file, owners);
  }

  // Takes the files that a child reports: the modules that it has loaded, or looked for.
  watchModulesOf(child, owner = undefined) {
    child.on('message', (message) => {
      const required = message?.['watch:require'];
      const imported = message?.['watch:import'];
      if (Array.isArray(required)) required.forEach((file) => this.filterFile(file, owner));
      if (Array.isArray(imported)) {
        const { fileURLToPath } = require('internal/url');
        imported.forEach((url) => this.filterFile(fileURLToPath(url), owner));
      }
    });
  }

  // What these owners depended on does not count any more.
  forgetOwners(owners) {
    this.#owners.forEach((all, file) => {
      owners.forEach((owner) => all.delete(owner));
      if (all.size > 0) return;
      this.#owners.delete(file);
      this.#files.delete(file);
    });
  }

  clearFileFilters() {
    this.#files.clear();
  }

  clear() {
    clearTimeout(this.#timer);
    this.#watchers.forEach((watcher) => {
      watcher.removeAllListeners();
      watcher.close();
    });
    this.#watchers.clear();
    this.#files.clear();
    this.#owners.clear();
    this.#changed.clear();
  }
}

module.exports = { FilesWatcher };
