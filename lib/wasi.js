'use strict';
// node:wasi: what a WebAssembly program imports to reach files, clocks and standard streams. The system calls are
// C++: src/runtime/wasi/.

const { ERR_INVALID_ARG_VALUE, ERR_WASI_ALREADY_STARTED } = require('internal/errors').codes;
const { emitExperimentalWarning, kEmptyObject } = require('internal/util');
const permission = require('internal/process/permission');
const {
  validateArray, validateBoolean, validateFunction, validateInt32, validateObject, validateString,
  validateUndefined,
} = require('internal/validators');

const kExitCode = Symbol('kExitCode');
const kSetMemory = Symbol('kSetMemory');
const kStarted = Symbol('kStarted');
const kInstance = Symbol('kInstance');
const kBindingName = Symbol('kBindingName');

// The module's name in an import object, by version.
const bindingNames = { __proto__: null, unstable: 'wasi_unstable', preview1: 'wasi_snapshot_preview1' };

emitExperimentalWarning('WASI');

function readArguments({ args }) {
  if (args === undefined) return [];
  validateArray(args, 'options.args');
  return args.map(String);
}

function readEnvironment({ env }) {
  if (env === undefined) return [];
  validateObject(env, 'options.env');
  return Object.entries(env)
    .filter(({ 1: value }) => value !== undefined)
    .map(({ 0: name, 1: value }) => `${name}=${value}`);
}

function readPreopens({ preopens }) {
  if (preopens === undefined) return [];
  validateObject(preopens, 'options.preopens');
  return Object.entries(preopens).flat().map(String);
}

function readStdio({ stdin = 0, stdout = 1, stderr = 2 }) {
  validateInt32(stdin, 'options.stdin', 0);
  validateInt32(stdout, 'options.stdout', 0);
  validateInt32(stderr, 'options.stderr', 0);
  return [stdin, stdout, stderr].map(String);
}

// proc_exit where only the program ends: throws through the frames of WebAssembly, up to start().
function wasiReturnOnProcExit(code) {
  this[kExitCode] = code;
  // eslint-disable-next-line no-throw-literal
  throw kExitCode;
}

class WASI {
  constructor(options = kEmptyObject) {
    validateObject(options, 'options');
    const { version } = options;
    validateString(version, 'options.version');
    const name = bindingNames[version];
    if (name === undefined) {
      throw new ERR_INVALID_ARG_VALUE('options.version', version, 'unsupported WASI version');
    }
    this[kBindingName] = name;

    const args = readArguments(options);
    const env = readEnvironment(options);
    const preopens = readPreopens(options);
    const stdio = readStdio(options);
    permission.check('wasi');
    const { WASI: System } = binding('wasi');
    const system = new System(args, env, preopens, stdio);
    for (const call in system) system[call] = system[call].bind(system);

    let returnOnExit = true;
    if (options.returnOnExit !== undefined) {
      validateBoolean(options.returnOnExit, 'options.returnOnExit');
      returnOnExit = options.returnOnExit;
    }
    if (returnOnExit) system.proc_exit = wasiReturnOnProcExit.bind(this);

    this[kSetMemory] = system._setMemory;
    delete system._setMemory;
    this.wasiImport = system;
    this[kStarted] = false;
    this[kExitCode] = 0;
    this[kInstance] = undefined;
  }

  finalizeBindings(instance, { memory = instance?.exports?.memory } = kEmptyObject) {
    if (this[kStarted]) throw new ERR_WASI_ALREADY_STARTED();
    validateObject(instance, 'instance');
    validateObject(instance.exports, 'instance.exports');
    this[kSetMemory](memory);
    this[kInstance] = instance;
    this[kStarted] = true;
  }

  // Runs a command, which exports _start. Returns its exit code.
  start(instance) {
    this.finalizeBindings(instance);
    const { _start, _initialize } = this[kInstance].exports;
    validateFunction(_start, 'instance.exports._start');
    validateUndefined(_initialize, 'instance.exports._initialize');
    try {
      _start();
    } catch (error) {
      if (error !== kExitCode) throw error;
    }
    return this[kExitCode];
  }

  // Prepares a reactor, whose exports are called afterwards. It may export _initialize.
  initialize(instance) {
    this.finalizeBindings(instance);
    const { _start, _initialize } = this[kInstance].exports;
    validateUndefined(_start, 'instance.exports._start');
    if (_initialize !== undefined) {
      validateFunction(_initialize, 'instance.exports._initialize');
      _initialize();
    }
  }

  getImportObject() {
    return { [this[kBindingName]]: this.wasiImport };
  }
}

module.exports = { WASI };
