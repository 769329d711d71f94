'use strict';
// node:child_process.

const {
  AbortError, codes: {
    ERR_CHILD_PROCESS_IPC_REQUIRED, ERR_CHILD_PROCESS_STDIO_MAXBUFFER, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE,
  },
  genericNodeError, uvErrmapGet,
} = require('internal/errors');
const {
  ChildProcess, getValidStdio, signalNumber, spawnSync: runToEnd, stdioFromWord,
} = require('internal/child_process');
const { getValidatedPath } = require('internal/fs/utils');
const { optionsForChild, state: permissions } = require('internal/process/permission');
const { assignFunctionName } = require('internal/util');
const { isArrayBufferView } = require('internal/util/types');
const {
  validateAbortSignal, validateArray, validateBoolean, validateFunction, validateInt32, validateInteger, validateNumber,
  validateObject, validateString,
} = require('internal/validators');

const kCustomPromisify = Symbol.for('nodejs.util.promisify.custom');
const kMaxBuffer = 1024 * 1024;

// ---- Arguments ----

function checkNoNul(value, name) {
  if (typeof value === 'string' && value.includes('\0')) {
    throw new ERR_INVALID_ARG_VALUE(name, value, 'must be a string without null bytes');
  }
}

function checkTimeout(timeout) {
  if (timeout != null) validateInteger(timeout, 'timeout', 0);
}

function checkMaxBuffer(maxBuffer) {
  if (maxBuffer != null) validateNumber(maxBuffer, 'options.maxBuffer', 0);
}

function sanitizeKillSignal(killSignal) {
  if (typeof killSignal === 'string' || typeof killSignal === 'number') return signalNumber(killSignal);
  if (killSignal != null) {
    throw new ERR_INVALID_ARG_TYPE('options.killSignal', ['string', 'number'], killSignal);
  }
  return undefined;
}

// What this process may not do, its children may not do either.
function withPermissions(env, args) {
  if (!permissions.isEnabled) return env;
  const NODE_OPTIONS = optionsForChild(env.NODE_OPTIONS, args);
  return NODE_OPTIONS === undefined ? env : { ...env, NODE_OPTIONS };
}

function environmentPairs(env) {
  const pairs = [];
  // Coverage of children counts also where the program chooses their variables, unless it names this one.
  const { NODE_V8_COVERAGE: folder } = process.env;
  const addsFolder = folder && !Object.hasOwn(env, 'NODE_V8_COVERAGE');
  for (const key in env) {
    const value = env[key];
    if (value === undefined || (addsFolder && key === 'NODE_V8_COVERAGE')) continue;
    checkNoNul(key, `options.env['${key}']`);
    checkNoNul(value, `options.env['${key}']`);
    pairs[pairs.length] = `${key}=${value}`;
  }
  if (addsFolder) pairs[pairs.length] = `NODE_V8_COVERAGE=${folder}`;
  return pairs;
}

let warnedOfShellArguments = false;

function warnOfShellArguments() {
  if (warnedOfShellArguments) return;
  warnedOfShellArguments = true;
  process.emitWarning('Passing args to a child process with shell option true can lead to security vulnerabilities, ' +
    'as the arguments are not escaped, only concatenated.', 'DeprecationWarning', 'DEP0190');
}

function normalizeSpawnArguments(file, args, options) {
  validateString(file, 'file');
  checkNoNul(file, 'file');
  if (file.length === 0) throw new ERR_INVALID_ARG_VALUE('file', file, 'cannot be empty');
  if (Array.isArray(args)) {
    args = [...args];
  } else if (args == null) {
    args = [];
  } else if (typeof args !== 'object') {
    throw new ERR_INVALID_ARG_TYPE('args', 'object', args);
  } else {
    options = args;
    args = [];
  }
  for (let i = 0; i < args.length; i++) checkNoNul(args[i], `args[${i}]`);

  if (options === undefined) options = {};
  else validateObject(options, 'options');
  options = { __proto__: null, ...options };
  let { cwd } = options;
  if (cwd != null) {
    cwd = getValidatedPath(cwd, 'options.cwd');
  }
  if (options.detached != null) validateBoolean(options.detached, 'options.detached');
  for (const name of ['uid', 'gid']) {
    if (options[name] != null) validateInt32(options[name], `options.${name}`);
  }
  const { shell } = options;
  if (shell != null && typeof shell !== 'boolean' && typeof shell !== 'string') {
    throw new ERR_INVALID_ARG_TYPE('options.shell', ['boolean', 'string'], shell);
  }
  if (options.argv0 != null) {
    validateString(options.argv0, 'options.argv0');
    checkNoNul(options.argv0, 'options.argv0');
  }
  if (options.windowsHide != null) validateBoolean(options.windowsHide, 'options.windowsHide');
  if (options.windowsVerbatimArguments != null) {
    validateBoolean(options.windowsVerbatimArguments, 'options.windowsVerbatimArguments');
  }

  if (shell) {
    checkNoNul(shell, 'options.shell');
    if (args.length > 0) warnOfShellArguments();
    args = ['-c', [file, ...args].join(' ')];
    file = typeof shell === 'string' ? shell : '/bin/sh';
  }
  args.unshift(typeof options.argv0 === 'string' ? options.argv0 : file);
  return {
    __proto__: null,
    ...options,
    args: args.map((arg) => `${arg}`),
    cwd,
    detached: Boolean(options.detached),
    envPairs: environmentPairs(withPermissions(options.env || process.env, args)),
    file,
    windowsHide: Boolean(options.windowsHide),
    windowsVerbatimArguments: Boolean(options.windowsVerbatimArguments),
  };
}

// ---- spawn ----

function abortChild(child, killSignal, reason) {
  try {
    if (child.kill(killSignal)) child.emit('error', new AbortError(undefined, { cause: reason }));
  } catch (error) {
    child.emit('error', error);
  }
}

function spawn(file, args, options) {
  options = normalizeSpawnArguments(file, args, options);
  checkTimeout(options.timeout);
  validateAbortSignal(options.signal, 'options.signal');
  const killSignal = sanitizeKillSignal(options.killSignal);
  const child = new ChildProcess();
  child.spawn(options);

  if (options.timeout > 0) {
    let timer = setTimeout(() => {
      timer = null;
      try {
        child.kill(killSignal);
      } catch (error) {
        child.emit('error', error);
      }
    }, options.timeout);
    child.once('exit', () => clearTimeout(timer));
  }
  if (options.signal) {
    const { signal } = options;
    const onAbort = () => abortChild(child, killSignal, signal.reason);
    if (signal.aborted) {
      process.nextTick(onAbort);
    } else {
      const disposable = require('events').addAbortListener(signal, onAbort);
      child.once('exit', disposable[Symbol.dispose]);
    }
  }
  return child;
}

// ---- fork ----

// The options of this process, without those of -e.
function inheritedExecArgv() {
  const execArgv = process.execArgv;
  const at = process._eval == null ? -1 : execArgv.lastIndexOf(process._eval);
  return at > 0 ? execArgv.toSpliced(at - 1, 2) : execArgv;
}

function stdioWithChannel({ stdio, silent }) {
  if (typeof stdio === 'string') return stdioFromWord(stdio, 'ipc');
  if (!Array.isArray(stdio)) return stdioFromWord(silent ? 'pipe' : 'inherit', 'ipc');
  if (!stdio.includes('ipc')) throw new ERR_CHILD_PROCESS_IPC_REQUIRED('options.stdio');
  return stdio;
}

function fork(modulePath, args = [], options = undefined) {
  modulePath = getValidatedPath(modulePath, 'modulePath');
  if (args == null) {
    args = [];
  } else if (typeof args === 'object' && !Array.isArray(args)) {
    options = args;
    args = [];
  } else {
    validateArray(args, 'args');
  }
  if (options != null) validateObject(options, 'options');
  options = { __proto__: null, ...options, shell: false };
  options.execPath ||= process.execPath;
  checkNoNul(options.execPath, 'options.execPath');
  const execArgv = options.execArgv || inheritedExecArgv();
  for (let i = 0; i < execArgv.length; i++) checkNoNul(execArgv[i], `options.execArgv[${i}]`);
  options.stdio = stdioWithChannel(options);
  return spawn(options.execPath, [...execArgv, modulePath, ...args], options);
}

// ---- execFile ----

function normalizeExecFileArgs(file, args, options, callback) {
  if (Array.isArray(args)) {
    args = [...args];
  } else if (args !== null && typeof args === 'object') {
    callback = options;
    options = args;
    args = null;
  } else if (typeof args === 'function') {
    callback = args;
    options = null;
    args = null;
  }
  args ??= [];
  if (typeof options === 'function') callback = options;
  else if (options != null) validateObject(options, 'options');
  options = options !== null && typeof options === 'object' ? options : {};
  if (callback != null) validateFunction(callback, 'callback');
  if (options.argv0 != null) {
    validateString(options.argv0, 'options.argv0');
    checkNoNul(options.argv0, 'options.argv0');
  }
  return { file, args, options, callback };
}

// What a stream of the child gives, up to a limit.
class Collected {
  constructor(stream, encoding, maxBuffer, onTooMuch) {
    this.encoding = encoding !== 'buffer' && Buffer.isEncoding(encoding) ? encoding : null;
    this.chunks = [];
    this.size = 0;
    if (!stream) return;
    if (this.encoding) stream.setEncoding(this.encoding);
    stream.on('data', (chunk) => {
      const length = typeof chunk === 'string' ?
        Buffer.byteLength(chunk, stream.readableEncoding) : chunk.length;
      this.size += length;
      if (this.size > maxBuffer) {
        const kept = maxBuffer - (this.size - length);
        this.chunks[this.chunks.length] = chunk.slice(0, kept);
        onTooMuch();
      } else {
        this.chunks[this.chunks.length] = chunk;
      }
    });
  }

  take(stream) {
    if (this.encoding || stream?.readableEncoding) return this.chunks.join('');
    return Buffer.concat(this.chunks);
  }
}

function execFile(file, args, options, callback) {
  ({ file, args, options, callback } = normalizeExecFileArgs(file, args, options, callback));
  options = {
    __proto__: null,
    encoding: 'utf8',
    timeout: 0,
    maxBuffer: kMaxBuffer,
    killSignal: 'SIGTERM',
    cwd: null,
    env: null,
    shell: false,
    ...options,
  };
  checkTimeout(options.timeout);
  checkMaxBuffer(options.maxBuffer);
  const killSignal = sanitizeKillSignal(options.killSignal);

  const child = spawn(file, args, {
    argv0: options.argv0,
    cwd: options.cwd,
    env: options.env,
    gid: options.gid,
    shell: options.shell,
    signal: options.signal,
    uid: options.uid,
    windowsHide: Boolean(options.windowsHide),
    windowsVerbatimArguments: Boolean(options.windowsVerbatimArguments),
  });

  let killed = false;
  let exited = false;
  let timer = null;
  let failure = null;
  let command = file;
  if (args.length > 0) command += ` ${args.join(' ')}`;

  const kill = () => {
    child.stdout?.destroy();
    child.stderr?.destroy();
    killed = true;
    try {
      child.kill(killSignal);
    } catch (error) {
      failure ||= error;
      onExit();
    }
  };
  const collect = (stream, name) => new Collected(stream, options.encoding, options.maxBuffer, () => {
    failure = new ERR_CHILD_PROCESS_STDIO_MAXBUFFER(name);
    kill();
  });
  const stdout = collect(child.stdout, 'stdout');
  const stderr = collect(child.stderr, 'stderr');

  function onExit(code, signal) {
    if (exited) return;
    exited = true;
    clearTimeout(timer);
    if (!callback) return;
    const out = stdout.take(child.stdout);
    const err = stderr.take(child.stderr);
    if (!failure && code === 0 && signal === null) {
      callback(null, out, err);
      return;
    }
    if (!failure) {
      failure = genericNodeError(`Command failed: ${command}\n${err}`, {
        code: code < 0 ? uvErrmapGet(code)?.[0] ?? code : code,
        killed: child.killed || killed,
        signal,
      });
    }
    failure.cmd = command;
    callback(failure, out, err);
  }

  if (options.timeout > 0) {
    timer = setTimeout(() => {
      timer = null;
      kill();
    }, options.timeout);
  }
  child.addListener('close', onExit);
  child.addListener('error', (error) => {
    failure = error;
    child.stdout?.destroy();
    child.stderr?.destroy();
    onExit();
  });
  return child;
}

function normalizeExecArgs(command, options, callback) {
  validateString(command, 'command');
  checkNoNul(command, 'command');
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  options = { ...options };
  options.shell = typeof options.shell === 'string' ? options.shell : true;
  return { file: command, options, callback };
}

function exec(command, options, callback) {
  const { file, options: all, callback: done } = normalizeExecArgs(command, options, callback);
  return module.exports.execFile(file, all, done);
}

// Promises of { stdout, stderr }.
function promisified(original) {
  return (...args) => {
    let settle;
    const promise = new Promise((resolve, reject) => { settle = { resolve, reject }; });
    promise.child = original(...args, (error, stdout, stderr) => {
      if (error === null) {
        settle.resolve({ stdout, stderr });
      } else {
        error.stdout = stdout;
        error.stderr = stderr;
        settle.reject(error);
      }
    });
    return promise;
  };
}
for (const original of [exec, execFile]) {
  Object.defineProperty(original, kCustomPromisify, {
    __proto__: null, enumerable: false, value: assignFunctionName(original.name, promisified(original)),
  });
}

// ---- At once ----

function spawnSync(file, args, options) {
  options = { __proto__: null, maxBuffer: kMaxBuffer, ...normalizeSpawnArguments(file, args, options) };
  checkTimeout(options.timeout);
  checkMaxBuffer(options.maxBuffer);
  options.killSignal = sanitizeKillSignal(options.killSignal);
  getValidStdio(options.stdio || 'pipe', true);
  if (options.input) {
    if (!isArrayBufferView(options.input) && typeof options.input !== 'string') {
      throw new ERR_INVALID_ARG_TYPE('options.stdio[0]',
        ['Buffer', 'TypedArray', 'DataView', 'string'], options.input);
    }
    if (typeof options.input === 'string') {
      const { encoding } = options;
      options.input = Buffer.from(options.input, encoding === 'buffer' ? undefined : encoding);
    }
    // Input is for a pipe.
    const stdio = options.stdio;
    if (Array.isArray(stdio)) options.stdio = ['pipe', ...stdio.slice(1)];
    else if (typeof stdio === 'string' && stdio !== 'pipe') options.stdio = ['pipe', stdio, stdio];
  }
  return runToEnd(options);
}

function checkExecSyncError(result, args, command) {
  if (result.error) return Object.assign(result.error, result);
  if (result.status === 0) return undefined;
  let message = 'Command failed: ';
  message += command || args.join(' ');
  if (result.stderr && result.stderr.length > 0) message += `\n${result.stderr.toString()}`;
  return genericNodeError(message, result);
}

// What the child has to say about its failure goes where ours does.
function passErrorsOn(result, options) {
  if (!options.stdio && result.stderr) process.stderr.write(result.stderr);
}

function execFileSync(file, args, options) {
  ({ file, args, options } = normalizeExecFileArgs(file, args, options));
  const result = spawnSync(file, args, options);
  passErrorsOn(result, options);
  const error = checkExecSyncError(result, [options.argv0 || file, ...args]);
  if (error) throw error;
  return result.stdout;
}

function execSync(command, options) {
  const { file, options: all } = normalizeExecArgs(command, options, null);
  const result = spawnSync(file, all);
  passErrorsOn(result, all);
  const error = checkExecSyncError(result, undefined, command);
  if (error) throw error;
  return result.stdout;
}

module.exports = {
  ChildProcess,
  exec,
  execFile,
  execFileSync,
  execSync,
  fork,
  spawn,
  spawnSync,
};
