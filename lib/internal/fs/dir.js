'use strict';
// fs.Dir. A folder is read as a whole when it is opened; what is in progress when something else is
// asked for is waited for.

const {
  codes: { ERR_DIR_CLOSED, ERR_DIR_CONCURRENT_OPERATION, ERR_INVALID_THIS, ERR_MISSING_ARGS },
} = require('internal/errors');
const { later, now } = require('internal/fs/native');
const {
  getOptions, getValidatedPath, toEntries, wantsBytes,
} = require('internal/fs/utils');
const { validateFunction, validateUint32 } = require('internal/validators');
const pathModule = require('path');

const kEntries = Symbol('kDirBufferedEntries');
const kPath = Symbol('kDirPath');
const kClosed = Symbol('kDirClosed');
const kQueue = Symbol('kDirOperationQueue');
const kOptions = Symbol('kDirOptions');

class Dir {
  constructor(entries, path, options) {
    if (entries == null) throw new ERR_MISSING_ARGS('handle');
    this[kEntries] = entries;
    this[kPath] = path;
    this[kClosed] = false;
    this[kQueue] = null; // what waits for the current operation; null: there is none
    this[kOptions] = { bufferSize: 32, ...getOptions(options, { encoding: 'utf8' }) };
    validateUint32(this[kOptions].bufferSize, 'options.bufferSize', true);
  }

  get path() {
    if (this == null || !(kPath in this)) throw new ERR_INVALID_THIS('Dir');
    return this[kPath];
  }

  read(callback) {
    if (callback === undefined) return promised((done) => this.read(done));
    validateFunction(callback, 'callback');
    if (this[kClosed]) throw new ERR_DIR_CLOSED();
    if (this[kQueue] !== null) {
      this[kQueue].push(() => this.read(callback));
      return undefined;
    }
    const entry = this[kEntries].shift() ?? null;
    this[kQueue] = [];
    const finish = (error, found) => {
      const queue = this[kQueue];
      this[kQueue] = null;
      for (const operation of queue) operation();
      if (error) callback(error);
      else callback(null, found);
    };
    if (entry !== null && this[kOptions].recursive && entry.isDirectory()) {
      const path = pathModule.join(entry.parentPath, `${entry.name}`);
      readEntries(path, this[kOptions], (error, entries) => {
        if (!error) this[kEntries].push(...entries);
        finish(error, entry);
      });
    } else {
      process.nextTick(finish, null, entry);
    }
    return undefined;
  }

  readSync() {
    if (this[kClosed]) throw new ERR_DIR_CLOSED();
    if (this[kQueue] !== null) throw new ERR_DIR_CONCURRENT_OPERATION();
    const entry = this[kEntries].shift() ?? null;
    if (entry !== null && this[kOptions].recursive && entry.isDirectory()) {
      const path = pathModule.join(entry.parentPath, `${entry.name}`);
      this[kEntries].push(...readEntriesNow(path, this[kOptions]));
    }
    return entry;
  }

  close(callback) {
    if (callback === undefined) {
      if (this[kClosed]) return Promise.reject(new ERR_DIR_CLOSED());
      return promised((done) => this.close(done));
    }
    validateFunction(callback, 'callback');
    if (this[kClosed]) {
      process.nextTick(callback, new ERR_DIR_CLOSED());
      return undefined;
    }
    if (this[kQueue] !== null) {
      this[kQueue].push(() => this.close(callback));
      return undefined;
    }
    this[kClosed] = true;
    process.nextTick(callback, null);
    return undefined;
  }

  closeSync() {
    if (this[kClosed]) throw new ERR_DIR_CLOSED();
    if (this[kQueue] !== null) throw new ERR_DIR_CONCURRENT_OPERATION();
    this[kClosed] = true;
  }

  async* entries() {
    try {
      for (;;) {
        const entry = await this.read();
        if (entry === null) break;
        yield entry;
      }
    } finally {
      await this.close();
    }
  }

  [Symbol.dispose]() {
    if (!this[kClosed]) this.closeSync();
  }

  async [Symbol.asyncDispose]() {
    if (!this[kClosed]) await this.close();
  }
}

Object.defineProperty(Dir.prototype, Symbol.asyncIterator, {
  __proto__: null, value: Dir.prototype.entries, enumerable: false, writable: true, configurable: true,
});

async function promised(start) {
  return new Promise((resolve, reject) => {
    start((error, value) => (error ? reject(error) : resolve(value)));
  });
}

function readEntries(path, { encoding }, callback) {
  later('opendir', (error, found) => {
    if (error !== null) callback(error);
    else callback(null, toEntries(found, path, encoding));
  }, path, true, wantsBytes(encoding));
}

function readEntriesNow(path, { encoding }) {
  return toEntries(now('opendir', path, true, wantsBytes(encoding)), path, encoding);
}

function opendir(path, options, callback) {
  callback = typeof options === 'function' ? options : callback;
  validateFunction(callback, 'callback');
  path = getValidatedPath(path);
  options = getOptions(options, { encoding: 'utf8' });
  readEntries(path, options, (error, entries) => {
    if (error) callback(error);
    else callback(null, new Dir(entries, path, options));
  });
}

function opendirSync(path, options) {
  path = getValidatedPath(path);
  options = getOptions(options, { encoding: 'utf8' });
  if (options.bufferSize !== undefined) validateUint32(options.bufferSize, 'options.bufferSize', true);
  return new Dir(readEntriesNow(path, options), path, options);
}

module.exports = { Dir, opendir, opendirSync };
