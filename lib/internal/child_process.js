'use strict';
// ChildProcess, and the option `stdio` in its many forms.

const {
  ErrnoException, codes: {
    ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_SYNC_FORK_INPUT, ERR_IPC_ONE_PIPE, ERR_IPC_SYNC_FORK,
    ERR_UNKNOWN_SIGNAL,
  },
} = require('internal/errors');
const {
  async_id_symbol, emitAfter, emitBefore, emitDestroy, emitFailure, initResource, trigger_async_id_symbol,
} = require('internal/async_hooks');
const { activeChannels, activeTracing } = require('internal/trace/active_channels');
const { addHandle, childPipes, removeHandle, shareDescriptor } = require('internal/native/open_handles');
const { check: checkPermission } = require('internal/process/permission');
const { initHandle } = require('internal/native/stream_handle');
const { validateObject, validateOneOf, validateString } = require('internal/validators');
const EventEmitter = require('events');
const net = require('net');

const EINVAL = -22;
const ESRCH = -3;
const ENOSYS = -38;
// Failures that are reported by an event: these can happen to any program.
const kReportedLater = new Set([-13, -11, -24, -23, -2]); // EACCES, EAGAIN, EMFILE, ENFILE, ENOENT

const kNoDescriptors = new Set([-24, -23]); // EMFILE, ENFILE

const kIsUsedAsProxy = Symbol('kIsUsedAsProxy');

// ---- stdio ----

function stdioFromWord(word, ...more) {
  switch (word) {
    case 'ignore':
    case 'overlapped':
    case 'pipe':
      return [word, word, word, ...more];
    case 'inherit':
      return [0, 1, 2, ...more];
    default:
      throw new ERR_INVALID_ARG_VALUE('stdio', word);
  }
}

function describe(value, fd, sync) {
  if (value === 'ignore') return { type: 'ignore', fd: -1 };
  if (value === 'ipc') return { type: 'pipe', fd: -1, ipc: true };
  if (value === 'pipe' || value === 'overlapped' || (typeof value === 'number' && value < 0)) {
    return { type: 'pipe', fd: -1 };
  }
  if (value === 'inherit') return { type: 'fd', fd };
  if (typeof value === 'number' || typeof value?.fd === 'number') {
    return { type: 'fd', fd: typeof value === 'number' ? value : value.fd };
  }
  if (typeof value?._handle?.fd === 'number' && value._handle.fd >= 0) {
    return { type: 'fd', fd: value._handle.fd, stream: value };
  }
  if (!sync && (typeof value === 'string' || ArrayBuffer.isView(value))) {
    throw new ERR_INVALID_SYNC_FORK_INPUT(require('internal/util/inspect').inspect(value));
  }
  throw new ERR_INVALID_ARG_VALUE('stdio', value);
}

// One { type, fd } for each descriptor of the child: 'pipe', 'ignore' or 'fd'.
function getValidStdio(stdio, sync = false) {
  if (typeof stdio === 'string') stdio = stdioFromWord(stdio);
  else if (!Array.isArray(stdio)) throw new ERR_INVALID_ARG_VALUE('stdio', stdio);
  if (sync && stdio.includes('ipc')) throw new ERR_IPC_SYNC_FORK();
  if (stdio.indexOf('ipc') !== stdio.lastIndexOf('ipc')) throw new ERR_IPC_ONE_PIPE();
  stdio = [...stdio];
  while (stdio.length < 3) stdio.push(undefined);
  return stdio.map((value, fd) => {
    value ??= fd < 3 ? 'pipe' : 'ignore';
    return describe(value, fd, sync);
  });
}

// What is the child's from now on is not read here any more.
function handOver({ stream }) {
  if (stream === undefined) return;
  stream[kIsUsedAsProxy] = true;
  if (!stream._handle.reading) return;
  stream._handle.reading = false;
  stream._handle.readStop();
  // It can be resumed when the child has ended.
  stream.pause();
  stream.readableFlowing = false;
  stream._readableState.reading = false;
}

function flatStdio(stdio) {
  for (const { type, fd } of stdio) {
    if (type === 'fd' && fd > 2) shareDescriptor(fd);
  }
  return stdio.flatMap(({ type, fd }) => [type, fd]);
}

// ---- Signals ----

function signalNumber(signal) {
  const { signals } = binding('constants').os;
  if (typeof signal === 'number' && Object.values(signals).includes(signal)) return signal;
  if (typeof signal === 'string') {
    const number = signals[signal.toUpperCase()];
    if (number) return number;
  }
  throw new ERR_UNKNOWN_SIGNAL(signal);
}

// ---- ChildProcess ----

function ChildProcess() {
  Reflect.apply(EventEmitter, this, []);
  this._closesNeeded = 1;
  this._closesGot = 0;
  this.connected = false;
  this.signalCode = null;
  this.exitCode = null;
  this.killed = false;
  this.spawnfile = null;
  this._handle = initResource(new (binding('child_process').Process)(), 'PROCESSWRAP');
  const handle = this._handle;
  handle.onexit = (exitCode, signalCode) => {
    const asyncId = handle[async_id_symbol];
    emitBefore(asyncId, handle[trigger_async_id_symbol], handle, exitCode < 0 ? 'error' : 'exit');
    if (exitCode < 0) emitFailure(exitCode);
    onExit(this, exitCode, signalCode);
    emitAfter(asyncId);
    emitDestroy(asyncId);
  };
  if (activeChannels.size !== 0) activeChannels.get('child_process')?.publish({ process: this });
}
Object.setPrototypeOf(ChildProcess.prototype, EventEmitter.prototype);
Object.setPrototypeOf(ChildProcess, EventEmitter);

function closeProcess(child) {
  removeHandle(child._handle);
  child._handle.close();
  child._handle = null;
}

function onExit(child, exitCode, signalCode) {
  if (signalCode) child.signalCode = signalCode;
  else child.exitCode = exitCode;
  child.stdin?.destroy();
  if (child._handle) closeProcess(child);
  if (exitCode < 0) {
    const syscall = child.spawnfile ? `spawn ${child.spawnfile}` : 'spawn';
    const error = new ErrnoException(exitCode, syscall);
    if (child.spawnfile) error.path = child.spawnfile;
    error.spawnargs = child.spawnargs.slice(1);
    child.emit('error', error);
  } else {
    child.emit('exit', child.exitCode, child.signalCode);
  }
  // Who never read of a stream must not hold 'close' up.
  process.nextTick(flushStdio, child);
  maybeClose(child);
}

function flushStdio(child) {
  if (child.stdio == null) return;
  for (const stream of child.stdio) {
    if (!stream || !stream.readable || stream[kIsUsedAsProxy]) continue;
    if (stream._readableState.readableListening) stream.read(0);
    else stream.resume();
  }
}

function maybeClose(child) {
  child._closesGot++;
  if (child._closesGot === child._closesNeeded) {
    child.emit('close', child.exitCode, child.signalCode);
  }
}

function failNT(child, status) {
  child._handle.onexit(status, '');
}

function spawnedNT(child) {
  child.emit('spawn');
}

function createSocket(fd, isReadable) {
  const handle = fd >= 0 ?
    initHandle(new (binding('pipe').Descriptor)(fd, false), 'PIPEWRAP') : null;
  const socket = new net.Socket({ handle, readable: isReadable });
  if (handle === null) socket.destroy();
  return socket;
}

// The child learns of its channel by variables.
function addChannel(envPairs = [], fd, serialization) {
  if (!Array.isArray(envPairs)) throw new ERR_INVALID_ARG_TYPE('options.envPairs', 'Array', envPairs);
  return [...envPairs, `NODE_CHANNEL_FD=${fd}`, `NODE_CHANNEL_SERIALIZATION_MODE=${serialization}`];
}

ChildProcess.prototype.spawn = function(options) {
  validateObject(options, 'options');
  const stdio = getValidStdio(options.stdio || 'pipe');
  validateOneOf(options.serialization, 'options.serialization', [undefined, 'json', 'advanced']);
  const serialization = options.serialization || 'json';
  const ipcFd = stdio.findIndex(({ ipc }) => ipc);
  if (ipcFd >= 0) options = { ...options, envPairs: addChannel(options.envPairs, ipcFd, serialization) };
  validateString(options.file, 'options.file');
  this.spawnfile = options.file;
  if (options.args === undefined) {
    this.spawnargs = [];
  } else if (Array.isArray(options.args)) {
    this.spawnargs = options.args;
  } else {
    throw new ERR_INVALID_ARG_TYPE('options.args', 'Array', options.args);
  }
  if (options.envPairs !== undefined && !Array.isArray(options.envPairs)) {
    throw new ERR_INVALID_ARG_TYPE('options.envPairs', 'Array', options.envPairs);
  }
  const pipes = [];
  const tracing = activeTracing('child_process.spawn');
  tracing?.start.publish({ process: this, options });
  checkPermission('child', options.file);
  const result = this._handle.spawn({ __proto__: null, ...options, stdio: flatStdio(stdio), pipes });
  if (result < 0) {
    const error = new ErrnoException(result, 'spawn');
    if (!kReportedLater.has(result)) closeProcess(this);
    tracing?.error.publish({ process: this, error });
    if (!kReportedLater.has(result)) throw error;
    process.nextTick(failNT, this, result);
    // Without descriptors there are no streams either.
    if (kNoDescriptors.has(result)) return result;
  } else {
    this.pid = result;
    for (let i = 0; i < stdio.length; i++) handOver(stdio[i], i);
    tracing?.end.publish({ process: this });
    process.nextTick(spawnedNT, this);
  }

  this.stdio = stdio.map(({ type, ipc }, i) => {
    if (type !== 'pipe' || ipc) return null;
    const socket = createSocket(result < 0 ? -1 : pipes[i], i > 0);
    if (socket._handle) childPipes.set(socket._handle, { child: this, index: i });
    if (i > 0 && result > 0) {
      this._closesNeeded++;
      socket.on('close', () => maybeClose(this));
    }
    return socket;
  });
  [this.stdin, this.stdout, this.stderr] = this.stdio;
  addHandle(this._handle, 'ProcessWrap', () => this, 'PROCESSWRAP');
  if (ipcFd >= 0 && result > 0) {
    this._closesNeeded++;
    const { setUpChannel } = require('internal/child_process/channel');
    const channel = setUpChannel(this, pipes[ipcFd], serialization, () => maybeClose(this));
    this._handle.onending = () => channel.readAll();
  }
  return result < 0 ? result : 0;
};

ChildProcess.prototype.kill = function(sig) {
  const signal = sig === 0 ? 0 : signalNumber(sig === undefined ? 'SIGTERM' : sig);
  if (this._handle) {
    const status = this._handle.kill(signal);
    if (status === 0) {
      this.killed = true;
      return true;
    }
    if (status === EINVAL || status === ENOSYS) throw new ErrnoException(status, 'kill');
    if (status !== ESRCH) this.emit('error', new ErrnoException(status, 'kill'));
  }
  return false;
};

ChildProcess.prototype[Symbol.dispose] = function() {
  if (!this.killed) this.kill();
};

ChildProcess.prototype.ref = function() {
  this._handle?.ref();
};

ChildProcess.prototype.unref = function() {
  this._handle?.unref();
};

// ---- At once ----

// process.binding('spawn_sync'): programs replace spawn() to see, or change, every child (nyc).
const spawnSyncBinding = {
  spawn(options) {
    const { stdio } = options;
    const inputs = stdio.map(({ input }) => input);
    const [pid, status, signal, output, error] =
      binding('child_process').spawnSync({ __proto__: null, ...options, stdio: flatStdio(stdio), inputs });
    return {
      ...(error ? { error } : {}),
      status,
      signal,
      output: output === null ? null : output.map((bytes) => {
        return bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      }),
      pid,
    };
  },
};

function spawnSync(options) {
  checkPermission('child', options.file);
  options.stdio = getValidStdio(options.stdio || 'pipe', true);
  if (options.input) options.stdio[0] = { ...options.stdio[0], input: options.input };
  const result = spawnSyncBinding.spawn(options);
  if (result.error) {
    result.error = new ErrnoException(result.error, `spawnSync ${options.file}`);
    result.error.path = options.file;
    result.error.spawnargs = options.args.slice(1);
  }
  if (result.output && options.encoding && options.encoding !== 'buffer') {
    result.output = result.output.map((bytes) => (bytes === null ? null : bytes.toString(options.encoding)));
  }
  result.stdout = result.output && result.output[1];
  result.stderr = result.output && result.output[2];
  return result;
}

module.exports = { ChildProcess, getValidStdio, signalNumber, spawnSync, spawnSyncBinding, stdioFromWord };
