'use strict';
// FileHandle.prototype.pull(), pullSync() and writer() of --experimental-stream-iter: files as the
// sources and targets of node:stream/iter.

const { codes: { ERR_INVALID_STATE, ERR_OPERATION_FAILED, ERR_OUT_OF_RANGE } } = require('internal/errors');
const { now, promised } = require('internal/fs/native');
const { writevPromised } = require('internal/fs/vectored');
const { SafeSet } = require('internal/util/safe');
const { validateAbortSignal, validateBoolean, validateInteger, validateObject } = require('internal/validators');
const { Buffer } = require('buffer');

const kChunkSize = 128 * 1024;
const kUnset = -1;
const kMostRetries = 5; // of a write that has written nothing

// What a FileHandle has inside is known to internal/fs/promises only.
let parts;

function claim(handle) {
  const { kClosePromise, kFd, kLocked } = parts;
  if (handle[kFd] === -1) throw new ERR_INVALID_STATE('The FileHandle is closed');
  if (handle[kClosePromise]) throw new ERR_INVALID_STATE('The FileHandle is closing');
  if (handle[kLocked]) throw new ERR_INVALID_STATE('The FileHandle is locked');
}

function lock(handle) {
  handle[parts.kLocked] = true;
}

function hold(handle) {
  handle[parts.kRef]();
}

function release(handle) {
  handle[parts.kLocked] = false;
  handle[parts.kUnref]();
}

function readOptions({ autoClose = false, chunkSize = kChunkSize, start = kUnset, limit = kUnset, signal }) {
  validateBoolean(autoClose, 'options.autoClose');
  if (start !== kUnset) validateInteger(start, 'options.start', 0);
  if (limit !== kUnset) validateInteger(limit, 'options.limit', 1);
  if (chunkSize !== undefined) validateInteger(chunkSize, 'options.chunkSize', 1);
  return { autoClose, chunkSize, position: start, left: limit, signal };
}

// ---- Reading -----------------------------------------------------------------------------------------------------

// The next piece of a file and what it leaves.
class Cursor {
  constructor({ chunkSize, position, left }) {
    this.chunkSize = chunkSize;
    this.position = position;
    this.left = left;
  }

  get done() {
    return this.left === 0;
  }

  makeRoom() {
    return Buffer.allocUnsafe(this.left > 0 ? Math.min(this.chunkSize, this.left) : this.chunkSize);
  }

  took(buffer, count) {
    if (this.position >= 0) this.position += count;
    if (this.left > 0) this.left -= count;
    return [count < buffer.length ? buffer.subarray(0, count) : buffer];
  }
}

function pull(...args) {
  claim(this);
  const { parsePullArgs } = require('internal/streams/iter/utils');
  const { transforms, options } = parsePullArgs(args);
  const read = readOptions(options ?? {});
  const { signal } = read;
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
  const handle = this;
  const fd = this[parts.kFd];
  lock(this);
  // A second iteration goes on where the first has ended.
  const cursor = new Cursor(read);
  const source = {
    __proto__: null,
    async *[Symbol.asyncIterator]() {
      hold(handle);
      try {
        while (!cursor.done) {
          if (signal?.aborted) throw signal.reason;
          const buffer = cursor.makeRoom();
          const count = await promised('read', fd, buffer, 0, buffer.length, cursor.position);
          if (count === 0) break;
          yield cursor.took(buffer, count);
        }
      } finally {
        release(handle);
        if (read.autoClose) await handle.close();
      }
    },
  };
  if (transforms.length === 0) return source;
  const pipeline = [...transforms];
  if (options) pipeline.push(options);
  return require('internal/streams/iter/pull').pull(source, ...pipeline);
}

class SyncReader {
  #handle;
  #fd;
  #cursor;
  #autoClose;
  #done = false;

  constructor(handle, fd, cursor, autoClose) {
    this.#handle = handle;
    this.#fd = fd;
    this.#cursor = cursor;
    this.#autoClose = autoClose;
  }

  #end() {
    if (!this.#done) {
      this.#done = true;
      release(this.#handle);
      if (this.#autoClose) parts.closeNow(this.#handle);
    }
    return { done: true, value: undefined };
  }

  next() {
    if (this.#done || this.#cursor.done) return this.#end();
    const buffer = this.#cursor.makeRoom();
    let count;
    try {
      count = now('read', this.#fd, buffer, 0, buffer.length, this.#cursor.position);
    } catch (error) {
      this.#end();
      throw error;
    }
    return count === 0 ? this.#end() : { done: false, value: this.#cursor.took(buffer, count) };
  }

  return() {
    return this.#end();
  }
}
Object.setPrototypeOf(SyncReader.prototype, null);

function pullSync(...args) {
  claim(this);
  const { parsePullArgs } = require('internal/streams/iter/utils');
  const { transforms, options } = parsePullArgs(args);
  const read = readOptions(options ?? {});
  const handle = this;
  const fd = this[parts.kFd];
  lock(this);
  hold(this);
  const cursor = new Cursor(read);
  const source = {
    __proto__: null,
    [Symbol.iterator]() {
      return new SyncReader(handle, fd, cursor, read.autoClose);
    },
  };
  if (transforms.length === 0) return source;
  return require('internal/streams/iter/pull').pullSync(source, ...transforms);
}

// ---- Writing -----------------------------------------------------------------------------------------------------

function sizeOf(chunks) {
  let size = 0;
  for (let i = 0; i < chunks.length; i++) size += chunks[i].byteLength;
  return size;
}

class Retries {
  #left = kMostRetries;

  constructor(name) {
    this.name = name;
  }

  count(written) {
    if (written !== 0) this.#left = kMostRetries;
    else if (this.#left-- === 0) throw new ERR_OPERATION_FAILED(`${this.name} failed after retries`);
  }
}

class FileWriter {
  #handle;
  #fd;
  #autoClose;
  #mostAtOnce; // of what writeSync() does
  #position;
  #left;
  #total = 0;
  #state = 'open'; // 'ending', 'ended', 'failed'
  #ending = null; // of end(), while it is under way
  #isCleaning = false;
  #error = undefined;
  #underWay = 0;
  #isReleased = false;
  #waiting = new SafeSet();

  constructor(handle, fd, { autoClose, chunkSize, position, left }) {
    this.#handle = handle;
    this.#fd = fd;
    this.#autoClose = autoClose;
    this.#mostAtOnce = chunkSize;
    this.#position = position;
    this.#left = left;
  }

  write(chunk, options = { __proto__: null }) {
    const { getWriterSignal, toWriterUint8Array } = require('internal/streams/iter/utils');
    chunk = toWriterUint8Array(chunk);
    const signal = getWriterSignal(options);
    const size = chunk.byteLength;
    const refusal = this.#refusal('write', size, signal);
    if (refusal !== undefined) return refusal;
    return this.#track(this.#writeAll(chunk, 0, this.#take(size), signal));
  }

  writev(chunks, options = { __proto__: null }) {
    const { convertChunks, getWriterSignal } = require('internal/streams/iter/utils');
    chunks = convertChunks(chunks);
    const signal = getWriterSignal(options);
    const size = sizeOf(chunks);
    const refusal = this.#refusal('writev', size, signal);
    if (refusal !== undefined) return refusal;
    return this.#track(this.#writevAll(chunks, size, this.#take(size), signal));
  }

  // False: the caller has to write it by write().
  writeSync(chunk) {
    const { toWriterUint8Array } = require('internal/streams/iter/utils');
    chunk = toWriterUint8Array(chunk);
    return this.#writeNow(chunk.byteLength, () => chunk,
                          (position) => now('writeBuffer', this.#fd, chunk, 0, chunk.byteLength, position));
  }

  writevSync(chunks) {
    const { convertChunks } = require('internal/streams/iter/utils');
    chunks = convertChunks(chunks);
    return this.#writeNow(sizeOf(chunks), () => Buffer.concat(chunks),
                          (position) => now('writeBuffers', this.#fd, chunks, position));
  }

  end(options = { __proto__: null }) {
    const signal = require('internal/streams/iter/utils').getWriterSignal(options);
    if (this.#state === 'failed') return Promise.reject(this.#error);
    if (this.#state === 'ended') return Promise.resolve(this.#total);
    if (this.#state === 'ending') return this.#ending.promise;
    if (signal?.aborted) return Promise.reject(signal.reason);
    this.#state = 'ending';
    this.#ending = Promise.withResolvers();
    const { promise } = this.#ending;
    this.#finishEnd();
    return promise;
  }

  endSync() {
    if (this.#state === 'ended') return this.#total;
    if (this.#state !== 'open' || this.#underWay !== 0) return -1;
    this.#state = 'ended';
    this.#release();
    if (this.#autoClose) parts.closeNow(this.#handle);
    return this.#total;
  }

  fail(reason) {
    if (this.#state === 'ended' || this.#state === 'failed') return;
    this.#state = 'failed';
    this.#error = reason;
    this.#ending?.reject(reason);
    this.#ending = null;
    for (const { reject } of this.#waiting) reject(reason);
    this.#waiting.clear();
    this.#releaseAfterFailure();
  }

  [Symbol.asyncDispose]() {
    if (this.#state === 'ending') return this.#ending?.promise ?? Promise.resolve();
    this.fail();
    return Promise.resolve();
  }

  [Symbol.dispose]() {
    this.fail();
  }

  // Undefined if nothing speaks against it.
  #refusal(name, size, signal) {
    if (this.#state === 'failed') return Promise.reject(this.#error);
    if (this.#state !== 'open') {
      const word = this.#state === 'ended' ? 'closed' : 'closing';
      return Promise.reject(new ERR_INVALID_STATE.TypeError(`The writer is ${word}`));
    }
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#left >= 0 && size > this.#left) {
      return Promise.reject(new ERR_OUT_OF_RANGE(name, `<= ${this.#left} bytes`, size));
    }
    return undefined;
  }

  // Returns the position where these bytes begin.
  #take(size) {
    const position = this.#position;
    if (this.#left > 0) this.#left -= size;
    if (position >= 0) this.#position += size;
    return position;
  }

  async #writeAll(bytes, offset, position, signal) {
    const retries = new Retries('write');
    while (offset < bytes.byteLength) {
      const count = await promised('writeBuffer', this.#fd, bytes, offset, bytes.byteLength - offset, position);
      signal?.throwIfAborted();
      retries.count(count);
      this.#total += count;
      offset += count;
      if (position >= 0) position += count;
    }
  }

  async #writevAll(chunks, size, position, signal) {
    if (size === 0) return;
    const count = await writevPromised(this.#fd, chunks, position);
    signal?.throwIfAborted();
    this.#total += count;
    if (count === size) return;
    await this.#writeAll(Buffer.concat(chunks), count, position >= 0 ? position + count : position, signal);
  }

  #writeNow(size, joined, writeOnce) {
    if (this.#state !== 'open' || this.#underWay !== 0 || size > this.#mostAtOnce) return false;
    if (size === 0) return true;
    if (this.#left >= 0 && size > this.#left) return false;
    let count;
    try {
      count = writeOnce(this.#position);
    } catch {
      return false; // nothing was written: write() finds out why
    }
    // A part of it is in the file: now the rest has to follow, or the caller would write that part again.
    const bytes = count < size ? joined() : undefined;
    const retries = new Retries('write');
    this.#advance(count);
    for (let offset = count; offset < size; offset += count) {
      count = now('writeBuffer', this.#fd, bytes, offset, size - offset, this.#position);
      retries.count(count);
      this.#advance(count);
    }
    if (this.#left > 0) this.#left -= size;
    return true;
  }

  #advance(count) {
    this.#total += count;
    if (this.#position >= 0) this.#position += count;
  }

  #track(operation) {
    const { promise, resolve, reject } = Promise.withResolvers();
    const waiting = { __proto__: null, reject };
    this.#waiting.add(waiting);
    this.#underWay++;
    const settle = (how, value) => {
      const isWaiting = this.#waiting.delete(waiting);
      this.#underWay--;
      this.#releaseAfterFailure();
      if (isWaiting) how(value);
      this.#finishEnd();
    };
    operation.then((value) => settle(resolve, value), (error) => settle(reject, error));
    return promise;
  }

  #release() {
    if (this.#isReleased) return false;
    this.#isReleased = true;
    release(this.#handle);
    return true;
  }

  #releaseAfterFailure() {
    if (this.#state !== 'failed' || this.#underWay !== 0 || !this.#release()) return;
    if (this.#autoClose) parts.closeNow(this.#handle);
  }

  async #cleanUp() {
    if (this.#release() && this.#autoClose) await this.#handle.close();
  }

  #finishEnd() {
    if (this.#state !== 'ending' || this.#underWay !== 0 || this.#isCleaning) return;
    this.#isCleaning = true;
    const settle = (how, value) => {
      this.#isCleaning = false;
      if (this.#state === 'failed') return;
      this.#state = 'ended';
      const ending = this.#ending;
      this.#ending = null;
      ending[how](value);
    };
    this.#cleanUp().then(() => settle('resolve', this.#total), (error) => settle('reject', error));
  }
}

// As in Node, an object without a prototype.
const kMethods = ['write', 'writev', 'writeSync', 'writevSync', 'end', 'endSync', 'fail', Symbol.asyncDispose,
  Symbol.dispose];

function writer(options = { __proto__: null }) {
  claim(this);
  validateObject(options, 'options');
  const settings = readOptions(options);
  lock(this);
  hold(this);
  const target = new FileWriter(this, this[parts.kFd], settings);
  const result = { __proto__: null };
  for (const name of kMethods) {
    const method = { [name](...args) { return target[name](...args); } }[name];
    Object.defineProperty(method, 'length', { __proto__: null, value: FileWriter.prototype[name].length });
    result[name] = method;
  }
  return result;
}

module.exports = function install(FileHandle, inside) {
  parts = inside;
  Object.assign(FileHandle.prototype, { pull, pullSync, writer });
};
