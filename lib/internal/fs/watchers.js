'use strict';
// fs.watch() and fs.promises.watch(), of what a path names; internal/fs/recursive_watch has those of whole trees.

const {
  async_id_symbol, emitAfter, emitBefore, emitDestroy, initResource, trigger_async_id_symbol,
} = require('internal/async_hooks');
const {
  AbortError, UVException,
  codes: { ERR_FS_WATCH_QUEUE_OVERFLOW, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE },
} = require('internal/errors');
const { assertEncoding, copyObject, decodeName, getOptions, getValidatedPath } = require('internal/fs/utils');
const { addHandle, removeHandle } = require('internal/native/open_handles');
const { isRegExp } = require('internal/util/types');
const {
  validateAbortSignal, validateBoolean, validateInteger, validateObject, validateOneOf,
} = require('internal/validators');
const { check: checkPermission } = require('internal/process/permission');
const { Buffer } = require('buffer');
const EventEmitter = require('events');
const { basename } = require('path');

const { UV_ENOENT, UV_ENOSPC } = binding('uv');

// ---- Handles ---------------------------------------------------------------------------------

const handles = []; // by number
const free = []; // numbers that can be used again
let refed = 0; // of the handles that watch, how many hold the program
let native;

function events() {
  if (native === undefined) {
    native = new (binding('fs_event_wrap').FSEvents)((number, isRename, name) => {
      handles[number].report(isRename ? 'rename' : 'change', name);
    });
    native.hold(false);
  }
  return native;
}

function countRefed(change) {
  const before = refed > 0;
  refed += change;
  if (before !== refed > 0) events().hold(refed > 0);
}

// onchange(eventType, filename)
class FSEvent {
  constructor(onchange) {
    this.onchange = onchange;
    this.number = -1; // while it watches, where it is in `handles`
    this.isRefed = true;
    initResource(this, 'FSEVENTWRAP');
  }

  get initialized() {
    return this.number !== -1;
  }

  // Minus the errno, or 0.
  start(path, persistent, encoding, owner) {
    const number = free.length > 0 ? free.pop() : handles.length;
    const error = events().add(number, path);
    handles[number] = error === 0 ? this : undefined;
    if (error !== 0) {
      free.push(number);
      return error;
    }
    this.number = number;
    this.path = path;
    this.encoding = encoding;
    this.isRefed = Boolean(persistent);
    if (this.isRefed) countRefed(1);
    addHandle(this, 'FSEventWrap', () => owner, 'FSEVENTWRAP');
    return 0;
  }

  report(eventType, name) {
    const filename = name === undefined ? this.ownName() : decodeName(name, this.encoding ?? 'utf8');
    const asyncId = this[async_id_symbol];
    emitBefore(asyncId, this[trigger_async_id_symbol], this);
    this.onchange(eventType, filename);
    emitAfter(asyncId);
  }

  // An event of the watched path itself is reported with its own name.
  ownName() {
    const name = Buffer.from(basename(typeof this.path === 'string' ? this.path : `${this.path}`));
    return decodeName(name, this.encoding ?? 'utf8');
  }

  hasRef() {
    return this.isRefed;
  }

  setRefed(isRefed) {
    if (this.isRefed === isRefed) return;
    this.isRefed = isRefed;
    if (this.initialized) countRefed(isRefed ? 1 : -1);
  }

  close() {
    if (!this.initialized) return;
    const { number } = this;
    this.number = -1;
    events().remove(number);
    handles[number] = undefined;
    free.push(number);
    if (this.isRefed) countRefed(-1);
    removeHandle(this);
    emitDestroy(this[async_id_symbol]);
  }
}

function failure(errno, path) {
  const message = errno === UV_ENOSPC ? 'System limit for number of file watchers reached' : '';
  const error = new UVException({ errno, syscall: 'watch', path, message });
  error.filename = path;
  return error;
}

// ---- The option `ignore` ---------------------------------------------------------------------

function validateIgnored(value, name) {
  if (typeof value === 'string') {
    if (value === '') throw new ERR_INVALID_ARG_VALUE(name, value, 'must be a non-empty string');
  } else if (!isRegExp(value) && typeof value !== 'function') {
    throw new ERR_INVALID_ARG_TYPE(name, ['string', 'RegExp', 'Function'], value);
  }
}

function validateIgnore(value, name) {
  if (value == null) return;
  if (!Array.isArray(value)) validateIgnored(value, name);
  else value.forEach((one, index) => validateIgnored(one, `${name}[${index}]`));
}

function toMatcher(one) {
  if (typeof one === 'function') return one;
  if (isRegExp(one)) return (name) => RegExp.prototype.exec.call(one, name) !== null;
  const { createMatcher } = require('internal/fs/glob');
  // A pattern without a slash is for names in any folder.
  const matcher = createMatcher(one, { matchBase: true, nocaseMagicOnly: false });
  return (name) => matcher.match(name);
}

// A function (name) that says whether to keep silent, or null.
function createIgnoreMatcher(ignore) {
  if (ignore == null) return null;
  const matchers = [ignore].flat().map(toMatcher);
  return (name) => matchers.some((matches) => matches(name));
}

// ---- fs.watch() ------------------------------------------------------------------------------

const kStart = Symbol('kFSWatchStart');

function emitClose(watcher) {
  watcher.emit('close');
}

function FSWatcher() {
  Reflect.apply(EventEmitter, this, []);
  this._ignoreMatcher = null;
  this._handle = new FSEvent((eventType, filename) => {
    if (filename != null && this._ignoreMatcher?.(filename)) return;
    this.emit('change', eventType, filename);
  });
}
Object.setPrototypeOf(FSWatcher.prototype, EventEmitter.prototype);
Object.setPrototypeOf(FSWatcher, EventEmitter);

FSWatcher.prototype[kStart] = function(filename, { persistent, encoding, ignore, throwIfNoEntry = true }) {
  if (this._handle === null || this._handle.initialized) return;
  filename = getValidatedPath(filename, 'filename');
  validateIgnore(ignore, 'options.ignore');
  this._ignoreMatcher = createIgnoreMatcher(ignore);
  checkPermission('fs.read', `${filename}`);
  const errno = this._handle.start(filename, persistent, encoding, this);
  if (errno !== 0 && (throwIfNoEntry || errno !== UV_ENOENT)) throw failure(errno, filename);
};

// It once started the watcher; that is begun already.
FSWatcher.prototype.start = () => {};

FSWatcher.prototype.close = function() {
  if (!this._handle?.initialized) return;
  this._handle.close();
  this._handle = null;
  process.nextTick(emitClose, this);
};

FSWatcher.prototype.ref = function() {
  this._handle?.setRefed(true);
  return this;
};

FSWatcher.prototype.unref = function() {
  this._handle?.setRefed(false);
  return this;
};

// ---- fs.promises.watch() ---------------------------------------------------------------------

function checkPromisedOptions(options) {
  const {
    persistent = true, recursive = false, encoding = 'utf8', maxQueue = 2048, overflow = 'ignore', signal, ignore,
  } = options;
  validateBoolean(persistent, 'options.persistent');
  validateBoolean(recursive, 'options.recursive');
  validateInteger(maxQueue, 'options.maxQueue');
  validateOneOf(overflow, 'options.overflow', ['ignore', 'error']);
  validateAbortSignal(signal, 'options.signal');
  validateIgnore(ignore, 'options.ignore');
  assertEncoding(encoding);
  return { persistent, encoding, maxQueue, overflow, signal, ignore };
}

async function* watchOne(filename, options) {
  const path = getValidatedPath(filename);
  const { persistent, encoding, maxQueue, overflow, signal, ignore } = checkPromisedOptions(options);
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
  const isIgnored = createIgnoreMatcher(ignore);
  const queue = []; // events, and an error at the end
  let { promise, resolve: wake } = Promise.withResolvers();
  const handle = new FSEvent((eventType, name) => {
    if (name != null && isIgnored?.(name)) return;
    if (queue.length < maxQueue) {
      queue.push({ __proto__: null, eventType, filename: name });
    } else if (overflow === 'error') {
      queue.length = 0;
      queue.push(new ERR_FS_WATCH_QUEUE_OVERFLOW(maxQueue));
    } else {
      process.emitWarning('fs.watch maxQueue exceeded');
      return;
    }
    wake();
  });
  const onAbort = () => {
    handle.close();
    wake();
  };
  try {
    signal?.addEventListener('abort', onAbort, { __proto__: null, once: true, [kResistStopPropagation()]: true });
    checkPermission('fs.read', `${path}`);
    const errno = handle.start(path, persistent, encoding, handle);
    if (errno !== 0) throw failure(errno, filename);
    while (!signal?.aborted) {
      await promise;
      while (queue.length > 0) {
        const next = queue.shift();
        if (next instanceof Error) throw next;
        yield next;
      }
      ({ promise, resolve: wake } = Promise.withResolvers());
    }
    throw new AbortError(undefined, { cause: signal.reason });
  } finally {
    handle.close();
    signal?.removeEventListener('abort', onAbort);
  }
}

function kResistStopPropagation() {
  return require('internal/event_target').kResistStopPropagation;
}

async function* promisedWatch(filename, options = {}) {
  validateObject(options, 'options');
  if (options.recursive != null) validateBoolean(options.recursive, 'options.recursive');
  if (!options.recursive) {
    yield* watchOne(filename, options);
    return;
  }
  const { TreeWatcher } = require('internal/fs/recursive_watch');
  const watcher = new TreeWatcher(options);
  watcher[kStart](filename);
  yield* watcher;
}

function watch(filename, options, listener) {
  if (typeof options === 'function') listener = options;
  options = copyObject(getOptions(options));
  if (options.persistent === undefined) options.persistent = true;
  const path = getValidatedPath(filename);
  let watcher;
  if (options.recursive) {
    const { TreeWatcher } = require('internal/fs/recursive_watch');
    watcher = new TreeWatcher(options);
    watcher[kStart](path);
  } else {
    watcher = new FSWatcher();
    watcher[kStart](path, options);
  }
  if (listener) watcher.addListener('change', listener);
  closeWith(options.signal, watcher);
  return watcher;
}

function closeWith(signal, watcher) {
  if (!signal) return;
  if (signal.aborted) {
    process.nextTick(() => watcher.close());
    return;
  }
  const onAbort = () => watcher.close();
  signal.addEventListener('abort', onAbort, { __proto__: null, [kResistStopPropagation()]: true });
  watcher.once('close', () => signal.removeEventListener('abort', onAbort));
}

module.exports = {
  createIgnoreMatcher, kResistStopPropagation, kStart, promisedWatch, validateIgnore, watch,
};
