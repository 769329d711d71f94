'use strict';
// fs.watch() and fs.promises.watch() of a whole tree: inotify knows no such thing, so each folder in it has a watcher of
// its own, and what an event means is found out by looking.

const { AbortError, codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { getValidatedPath } = require('internal/fs/utils');
const { createIgnoreMatcher, kResistStopPropagation, kStart, validateIgnore } = require('internal/fs/watchers');
const { SafeMap, SafeSet } = require('internal/util/safe');
const { validateAbortSignal, validateBoolean } = require('internal/validators');
const EventEmitter = require('events');
const fs = require('fs');
const path = require('path');

function statOrNothing(file) {
  return fs.statSync(file, { throwIfNoEntry: false });
}

class TreeWatcher extends EventEmitter {
  #persistent;
  #signal;
  #throwIfNoEntry;
  #isIgnored;
  #root;
  #closed = false;
  #entries = new SafeSet(); // all that is known below the root
  #links = new SafeSet(); // of those, the symbolic links
  #watchers = new SafeMap(); // of folders and links

  constructor({ persistent, recursive, signal, encoding, ignore, throwIfNoEntry } = {}) {
    super();
    if (recursive != null) validateBoolean(recursive, 'options.recursive');
    if (persistent != null) validateBoolean(persistent, 'options.persistent');
    if (signal != null) validateAbortSignal(signal, 'options.signal');
    if (throwIfNoEntry != null) validateBoolean(throwIfNoEntry, 'options.throwIfNoEntry');
    if (encoding != null && typeof encoding !== 'string') {
      throw new ERR_INVALID_ARG_VALUE('options.encoding', encoding);
    }
    validateIgnore(ignore, 'options.ignore');
    this.#persistent = persistent;
    this.#signal = signal;
    this.#throwIfNoEntry = throwIfNoEntry ?? true;
    this.#isIgnored = createIgnoreMatcher(ignore);
  }

  [kStart](filename) {
    this.#root = path.resolve(getValidatedPath(filename));
    try {
      if (fs.statSync(this.#root).isDirectory()) this.#scan(this.#root, true);
      else this.#watchRootFile();
    } catch (error) {
      if (error.code === 'ENOENT' && !this.#throwIfNoEntry) return;
      error.filename = this.#root;
      this.close();
      throw error;
    }
  }

  close() {
    if (this.#closed) return;
    this.#closed = true;
    this.#watchers.forEach((watcher) => watcher.close());
    this.#watchers.clear();
    this.#entries.clear();
    this.#links.clear();
    this.emit('close');
  }

  ref() {
    this.#watchers.forEach((watcher) => watcher.ref());
  }

  unref() {
    this.#watchers.forEach((watcher) => watcher.unref());
  }

  [Symbol.asyncIterator]() {
    const signal = this.#signal;
    const next = (resolve, reject) => {
      const onAbort = () => {
        this.close();
        reject(new AbortError(undefined, { cause: signal.reason }));
      };
      if (signal?.aborted) {
        onAbort();
        return;
      }
      signal?.addEventListener('abort', onAbort, { __proto__: null, once: true, [kResistStopPropagation()]: true });
      this.once('change', (eventType, filename) => {
        signal?.removeEventListener('abort', onAbort);
        resolve({ __proto__: null, value: { eventType, filename } });
      });
    };
    return {
      next: () => (this.#closed ? { __proto__: null, done: true } : new Promise(next)),
      return: () => {
        this.close();
        return { __proto__: null, done: true };
      },
      [Symbol.asyncIterator]() { return this; },
    };
  }

  // ---- Looking ----

  // Watches the folder, then takes in what it holds. At the start, that emits no events.
  #scan(folder, isStart) {
    if (!this.#watch(folder, (eventType, name) => this.#onFolderEvent(folder, name))) {
      this.#forget(folder);
      return;
    }
    let entries;
    try {
      entries = fs.readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      this.#scanFailed(folder, isStart, error);
      return;
    }
    for (const entry of entries) {
      if (this.#closed) return;
      const file = path.join(folder, entry.name);
      if (!this.#entries.has(file) && !this.#isSilent(file)) this.#add(file, entry, isStart);
    }
  }

  #scanFailed(folder, isStart, error) {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') {
      this.emit('error', error);
      return;
    }
    const isStrict = error.code !== 'ENOENT' || this.#throwIfNoEntry;
    if (folder === this.#root && isStart && isStrict) throw error;
    if (!isStart && !this.#closed) this.#report('rename', folder);
    this.#forget(folder);
  }

  // `entry` knows of which type it is: a Dirent, or what lstat() says.
  #add(file, entry, isStart) {
    this.#entries.add(file);
    if (!isStart) this.#report('rename', file);
    if (entry.isSymbolicLink()) {
      // A change of its target is reported as one of the link.
      this.#links.add(file);
      if (!this.#watch(file, () => this.#report('rename', file))) this.#forget(file);
    } else if (entry.isDirectory()) {
      this.#scan(file, isStart);
    }
  }

  #onFolderEvent(folder, name) {
    if (this.#closed) return;
    const file = path.join(folder, name);
    if (this.#entries.has(file)) {
      this.#onEntryEvent(file);
      return;
    }
    if (this.#isSilent(file)) return;
    const entry = fs.lstatSync(file, { throwIfNoEntry: false });
    if (entry !== undefined) {
      this.#add(file, entry, false);
    } else if (folder === this.#root && statOrNothing(folder) === undefined) {
      this.#report('rename', folder);
      this.#forget(folder);
    }
  }

  #onEntryEvent(file) {
    const stats = statOrNothing(file);
    if (stats === undefined) {
      this.#report('rename', file);
      this.#forget(file);
    } else if (this.#links.has(file)) {
      this.#report('rename', file);
    } else if (stats.isDirectory()) {
      this.#scan(file, false);
    } else {
      this.#report('change', file);
    }
  }

  #watchRootFile() {
    const file = this.#root;
    this.#entries.add(file);
    const isThere = this.#watch(file, () => {
      if (this.#closed) return;
      if (statOrNothing(file) === undefined) {
        this.#report('rename', file);
        this.#forget(file);
      } else {
        this.emit('change', 'change', path.basename(file));
      }
    });
    if (!isThere) this.#forget(file);
  }

  // ---- Keeping ----

  // False if it has gone since it was seen.
  #watch(file, onChange) {
    if (this.#closed) return false;
    if (this.#watchers.has(file)) return true;
    try {
      this.#watchers.set(file, fs.watch(file, { persistent: this.#persistent }, onChange));
      return true;
    } catch (error) {
      if (error.code === 'ENOENT' && (file !== this.#root || !this.#throwIfNoEntry)) return false;
      throw error;
    }
  }

  #forget(file) {
    const below = file + path.sep;
    this.#entries.forEach((entry) => {
      if (entry === file || entry.startsWith(below)) this.#forgetOne(entry);
    });
    this.#forgetOne(file); // the root is not an entry
  }

  #forgetOne(file) {
    this.#watchers.get(file)?.close();
    this.#watchers.delete(file);
    this.#entries.delete(file);
    this.#links.delete(file);
  }

  #isSilent(file) {
    return this.#isIgnored?.(path.relative(this.#root, file));
  }

  #report(eventType, file) {
    this.emit('change', eventType, path.relative(this.#root, file));
  }
}
Object.defineProperty(TreeWatcher, 'name', { __proto__: null, value: 'FSWatcher' });

module.exports = { TreeWatcher };
