'use strict';
// class Worker: the parent's side of a thread. The Worker's own side is internal/worker/main.

const EventEmitter = require('events');
const path = require('path');
const { async_id_symbol, emitDestroy, initResource } = require('internal/async_hooks');
const {
  codes,
  codes: {
    ERR_CPU_PROFILE_TOO_MANY, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_WORKER_INVALID_EXEC_ARGV, ERR_WORKER_NOT_RUNNING,
    ERR_WORKER_PATH, ERR_WORKER_UNSERIALIZABLE_ERROR,
  },
} = require('internal/errors');
const { MessageChannel, drainMessagePort, setUpReferencing } = require('internal/messaging/message_channel');
const { getOptions } = require('internal/options');
const { fileURLToPath, isURL } = require('internal/url');
const { validateArray, validateNumber, validateObject, validateString } = require('internal/validators');
const limits = require('internal/worker/limits');
const { createMainThreadPort, destroyMainThreadPort } = require('internal/worker/messaging');
const { environmentData, folder, kTypes } = require('internal/worker/shared');
const {
  ReadableWorkerStdio, WritableWorkerStdio, kKeepsAlive, kMore, kWaiting, pushChunks,
} = require('internal/worker/stdio');
const { isMainThread } = require('internal/worker/thread');
const { WorkerHandle, parseOptions } = binding('worker');

const SHARE_ENV = Symbol.for('nodejs.worker_threads.SHARE_ENV');

// ---- What the constructor is given ----

// { filename, doEval }
function readEntry(filename, options) {
  if (options.eval) {
    if (typeof filename !== 'string') {
      throw new ERR_INVALID_ARG_VALUE('options.eval', options.eval,
        'must be false when \'filename\' is not a string');
    }
    return { filename, doEval: 'classic' };
  }
  if (isURL(filename)) {
    if (filename.protocol === 'data:') return { filename: `${filename}`, doEval: 'data-url' };
    return { filename: fileURLToPath(filename), doEval: false };
  }
  if (typeof filename !== 'string') throw new ERR_INVALID_ARG_TYPE('filename', ['string', 'URL'], filename);
  if (!path.isAbsolute(filename) && !/^\.\.?[\\/]/.test(filename)) throw new ERR_WORKER_PATH(filename);
  return { filename: path.resolve(filename), doEval: false };
}

// A list of names and values, null for a copy of the parent's, undefined to share it.
function readEnv(env) {
  if (env === SHARE_ENV) return undefined;
  if (typeof env === 'object' && env !== null) {
    return env === process.env ? null : Object.entries(env).flatMap(([key, value]) => [key, `${value}`]);
  }
  if (env == null) return null;
  throw new ERR_INVALID_ARG_TYPE('options.env',
    ['object', 'undefined', 'null', 'worker_threads.SHARE_ENV'], env);
}

function variable(env, name) {
  if (!Array.isArray(env)) return process.env[name];
  for (let i = 0; i < env.length; i += 2) {
    if (env[i] === name) return env[i + 1];
  }
  return undefined;
}

// The names of the variables that are 1: some of them are options.
function variablesSet(env) {
  const set = [];
  const list = Array.isArray(env) ? env : Object.entries(process.env).flat();
  for (let i = 0; i < list.length; i += 2) {
    if (list[i + 1] === '1') set.push(list[i]);
  }
  return set;
}

// V8 takes no options any more, but an unknown one is an error all the same.
function refusedOption(words) {
  const unknown = words.find((word) => !process.allowedNodeEnvironmentFlags.has(word.split('=')[0]));
  return unknown === undefined ? undefined : `${unknown} is not allowed in NODE_OPTIONS`;
}

// The options are the parent's, unless the Worker has some of its own.
function readOptions(execArgv, env) {
  if (!execArgv && !Array.isArray(env)) {
    // Debuggers of the process let a Worker wait by the domain NodeWorker.
    const { '--inspect-brk': breaks, '--inspect-wait': waits, ...options } = getOptions();
    return { execArgv: process.execArgv, options };
  }
  const [options, invalid, wrong, forV8, given] =
    parseOptions((execArgv || []).map(String), variable(env, 'NODE_OPTIONS'), variablesSet(env));
  const invalidEnvironment = wrong ?? refusedOption(forV8);
  if (execArgv && invalid.length > 0) throw new ERR_WORKER_INVALID_EXEC_ARGV(invalid);
  if (invalidEnvironment !== undefined) {
    throw new ERR_WORKER_INVALID_EXEC_ARGV([invalidEnvironment], 'invalid NODE_OPTIONS env variable');
  }
  return { execArgv: execArgv ? given : process.execArgv, options };
}

function readName(name) {
  if (!name) return 'WorkerThread';
  validateString(name, 'options.name');
  return name.trim();
}

// ---- Standard streams ----

// Any number of Workers may write to our output.
function pipeWithoutWarning(source, destination) {
  const { _maxListeners: mostAtSource } = source;
  const { _maxListeners: mostAtDestination } = destination;
  source.setMaxListeners(Infinity);
  destination.setMaxListeners(Infinity);
  source.pipe(destination);
  source._maxListeners = mostAtSource;
  destination._maxListeners = mostAtDestination;
}

function createStdio(port, options) {
  port[kWaiting] = 0;
  const stdio = {
    stdin: options.stdin ? new WritableWorkerStdio(port, 'stdin') : null,
    stdout: new ReadableWorkerStdio(port, 'stdout'),
    stderr: new ReadableWorkerStdio(port, 'stderr'),
    // Connected to our own output when something comes: not before, because it takes time to make that.
    toPipe: new Set(),
  };
  for (const name of ['stdout', 'stderr']) {
    if (options[name]) continue;
    stdio[name][kKeepsAlive] = false;
    stdio.toPipe.add(name);
  }
  return stdio;
}

// ---- The class ----

// As an option: the id of a file of lib/ that the thread runs instead of a program.
const kInternalEntry = Symbol('kInternalEntry');
// For threads of lib/: handles what the thread has sent so far, at once; whether it has come to its end.
const kDrain = Symbol('kDrain');
const kHasEnded = Symbol('kHasEnded');

class Worker extends EventEmitter {
  #handle;
  #port; // for what lib/ has to say
  #publicPort; // for the program's messages
  #stdio;
  #isOnline = false;
  #questions = new Map(); // number -> what to do with the answer
  #questionCount = 0;

  constructor(filename, options = {}) {
    super();
    if (options.execArgv) validateArray(options.execArgv, 'options.execArgv');
    require('internal/process/permission').check('worker');
    let argv;
    if (options.argv) {
      validateArray(options.argv, 'options.argv');
      argv = options.argv.map(String);
    }
    const entry = options[kInternalEntry] === undefined ? readEntry(filename, options) :
      { filename: options[kInternalEntry], doEval: 'internal' };
    const env = readEnv(options.env);
    const name = readName(options.name);
    this.#handle = initResource(new WorkerHandle({
      execPath: process.execPath,
      argv0: process.argv0,
      ...readOptions(options.execArgv, env),
      env,
      name,
      closesDescriptors: Boolean(options.trackUnmanagedFds ?? true),
    }, limits.toList(options.resourceLimits)), 'WORKER');
    this.#handle.onexit = (code, error, reason) => this.#onExit(code, error, reason);
    this.#handle.onanswer = (number, answer) => this.#onAnswer(number, answer);
    this.#port = this.#handle.messagePort;
    this.#port.on('message', (message) => this.#onMessage(message));
    this.#port.unref();
    this.#stdio = createStdio(this.#port, options);
    this.#start({ ...entry, argv }, options);
    this.performance = { eventLoopUtilization: this.#eventLoopUtilization.bind(this) };
    process.nextTick(() => process.emit('worker', this));
    const channel = require('diagnostics_channel').channel('worker_threads');
    if (channel.hasSubscribers) channel.publish({ worker: this });
  }

  #start(entry, options) {
    const mainThreadPort = createMainThreadPort(this.threadId);
    const { port1, port2 } = new MessageChannel();
    this.#publicPort = port1;
    for (const event of ['message', 'messageerror']) {
      port1.on(event, (message) => this.emit(event, message));
    }
    port1.unref();
    setUpReferencing(port1, this);
    try {
      this.#port.postMessage({
        ...entry,
        type: kTypes.load,
        folderCounter: isMainThread ? folder.watch() : folder.counter,
        workerData: options.workerData,
        environmentData,
        hasStdin: Boolean(options.stdin),
        publicPort: port2,
        mainThreadPort,
      }, [mainThreadPort, port2, ...Array.from(options.transferList ?? [])]);
      this.#handle.start();
    } catch (error) {
      for (const port of [this.#port, port1, port2, mainThreadPort]) port.close();
      throw error;
    }
  }

  #onExit(code, errorCode, reason) {
    const { threadId } = this;
    drainMessagePort(this.#publicPort);
    drainMessagePort(this.#port);
    destroyMainThreadPort(threadId);
    this.removeAllListeners('message');
    this.removeAllListeners('messageerrors');
    this.#publicPort.unref();
    this.#port.unref();
    emitDestroy(this.#handle[async_id_symbol]);
    this.#handle = null;
    this.#port = null;
    this.#publicPort = null;
    for (const name of ['stdout', 'stderr']) {
      if (!this.#stdio[name].readableEnded) this.#stdio[name].push(null);
    }
    if (errorCode !== undefined) this.emit('error', new codes[errorCode](reason));
    this.emit('exit', code);
    this.removeAllListeners();
  }

  #onMessage(message) {
    switch (message.type) {
      case kTypes.online:
        this.#isOnline = true;
        this.emit('online');
        break;
      case kTypes.unserializableError:
        this.emit('error', new ERR_WORKER_UNSERIALIZABLE_ERROR());
        break;
      case kTypes.error:
        this.emit('error', require('internal/worker/error_serdes').deserializeError(message.error));
        break;
      case kTypes.output: {
        const { stream: name, chunks } = message;
        if (this.#stdio.toPipe.delete(name)) pipeWithoutWarning(this.#stdio[name], process[name]);
        pushChunks(this.#stdio[name], chunks);
        break;
      }
      case kTypes.wantOutput:
        this.#stdio[message.stream][kMore]();
        break;
    }
  }

  postMessage(...args) {
    if (this.#publicPort === null) return;
    Reflect.apply(this.#publicPort.postMessage, this.#publicPort, args);
  }

  terminate() {
    this.ref();
    if (this.#handle === null) return Promise.resolve();
    this.#handle.stop();
    const { promise, resolve } = Promise.withResolvers();
    this.once('exit', resolve);
    return promise;
  }

  async [Symbol.asyncDispose]() {
    await this.terminate();
  }

  [kDrain]() {
    if (this.#port === null) return;
    drainMessagePort(this.#port);
    for (const name of ['stdout', 'stderr']) {
      const chunk = this.#stdio[name].read();
      if (chunk !== null) process[name].write(chunk);
    }
  }

  [kHasEnded]() {
    return this.#handle === null || this.#handle.hasEnded();
  }

  ref() {
    if (this.#handle === null) return;
    this.#handle.ref();
    this.#publicPort.ref();
  }

  unref() {
    if (this.#handle === null) return;
    this.#handle.unref();
    this.#publicPort.unref();
  }

  get threadId() {
    return this.#handle === null ? -1 : this.#handle.threadId;
  }

  get threadName() {
    return this.#handle === null ? null : this.#handle.threadName;
  }

  get stdin() {
    return this.#stdio.stdin;
  }

  get stdout() {
    return this.#stdio.stdout;
  }

  get stderr() {
    return this.#stdio.stderr;
  }

  get resourceLimits() {
    return this.#handle === null ? {} : limits.toObject(this.#handle.limits());
  }

  // ---- Questions, answered on the other thread ----

  #ask(kind, convert, ...options) {
    const number = this.#questionCount++;
    if (this.#handle === null || !this.#handle.ask(kind, number, ...options)) {
      return Promise.reject(new ERR_WORKER_NOT_RUNNING());
    }
    const { promise, resolve } = Promise.withResolvers();
    this.#questions.set(number, resolve);
    return promise.then(convert);
  }

  #onAnswer(number, answer) {
    const resolve = this.#questions.get(number);
    this.#questions.delete(number);
    resolve?.(answer);
  }

  getHeapSnapshot(options) {
    const { readSnapshotOptions, streamOf } = require('internal/v8/heap_snapshot');
    const { exposeInternals, exposeNumericValues } = readSnapshotOptions(options);
    const { Buffer } = require('buffer');
    return this.#ask('heapSnapshot', (text) => streamOf(Buffer.from(text)), exposeInternals, exposeNumericValues);
  }

  startCpuProfile(options) {
    const { CPUProfileHandle, readCpuOptions } = require('internal/v8/profiles');
    return this.#ask('startCpuProfile', ([id]) => {
      if (id === undefined) throw new ERR_CPU_PROFILE_TOO_MANY();
      return new CPUProfileHandle(() => this.#ask('stopCpuProfile', (text) => text, id));
    }, ...readCpuOptions(options));
  }

  startHeapProfile(options) {
    const { HeapProfileHandle, readHeapOptions } = require('internal/v8/profiles');
    return this.#ask('startHeapProfile', ([started]) => {
      if (started === undefined) throw Object.assign(new Error('heap profiler have been started'), { code: 'ERR_HEAP_PROFILE_HAVE_BEEN_STARTED' });
      return new HeapProfileHandle(() => this.#ask('stopHeapProfile', (text) => text));
    }, ...readHeapOptions(options));
  }

  getHeapStatistics() {
    return this.#ask('heapStatistics', (figures) => require('internal/v8/heap_statistics').heapStatistics(figures));
  }

  cpuUsage(prev) {
    if (prev) {
      validateObject(prev, 'prev');
      validateNumber(prev.user, 'prev.user', 0, Number.MAX_SAFE_INTEGER);
      validateNumber(prev.system, 'prev.system', 0, Number.MAX_SAFE_INTEGER);
    }
    return this.#ask('cpuUsage', ([user, system]) => {
      return prev ? { user: user - prev.user, system: system - prev.system } : { user, system };
    });
  }

  #eventLoopUtilization(first, second) {
    const begun = this.#isOnline && this.#handle !== null ? this.#handle.loopStartTime() : -1;
    const { utilizationOf } = require('internal/perf/node_timing');
    const { getTimeOrigin } = binding('performance');
    return utilizationOf(begun === -1 ? 0 : begun - getTimeOrigin(), () => this.#handle.loopIdleTime(), first, second);
  }
}

module.exports = { SHARE_ENV, Worker, kDrain, kHasEnded, kInternalEntry };
