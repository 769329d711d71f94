'use strict';
// REPLServer: a readline Interface that evaluates its lines.

const { codes } = require('internal/errors');
const { currentFolder } = require('internal/process/methods');
const { addBuiltinGlobals } = require('internal/repl/builtin_globals');
const { defineCommands, enterEditorMode, leaveEditorMode } = require('internal/repl/commands');
const { Evaluator, Recoverable, kSloppy, kStrict } = require('internal/repl/evaluate');
const { kSawKeyPress } = require('internal/readline/keys');
const { inspect } = require('internal/util/inspect');
const { breakRow, kContinuationPrompt } = require('internal/readline/multiline');
const { kLastCommandErrored } = require('internal/readline/symbols');
const { Interface } = require('readline');
const { validateFunction, validateNumber, validateObject } = require('internal/validators');

const kBufferedCommand = Symbol('bufferedCommand');
const kContextId = Symbol('contextId');
const kDeclarations = Symbol('declarations');
const kEvaluator = Symbol('evaluator');
const kHeld = Symbol('held');
const kInitialGetters = Symbol('initial getters');
const kLexicalNames = Symbol('lexical names');
const kLoading = Symbol('loading');
const kPreview = Symbol('preview');
const kRefusal = Symbol('refusal'); // what reportError() has thrown
const kSawCtrlD = Symbol('sawCtrlD');
const kSawInterrupt = Symbol('sawSIGINT');
const kUnhandled = 'unhandled';
const kStandalone = Symbol('kStandaloneREPL');

const writer = (value) => inspect(value, writer.options);
writer.options = { ...inspect.defaultOptions, showProxy: true };

let lines = 0;

// ---- Uncaught errors ----

// What a command starts belongs to the server, however late it runs.
let owners;

function onNewListener(event) {
  if (event === 'uncaughtException' && owners.getStore() !== undefined) {
    throw new codes.ERR_INVALID_REPL_INPUT(
      'Listeners for `uncaughtException` cannot be used in the REPL');
  }
}

// Servers inside a program; their commands must not take its errors away.
let embeddedServers = 0;

function forbidListeners(server) {
  if (embeddedServers++ === 0) process.prependListener('newListener', onNewListener);
  server.once('exit', () => {
    if (--embeddedServers === 0) process.removeListener('newListener', onNewListener);
  });
}

// The write that fails may be that of a command's result. To report it would fail as well, and so on.
function isOutputGone(server, error) {
  return error?.code === 'EPIPE' && error.syscall === 'write' && server.output === process.stdout;
}

// A command can start things that throw later: the server reports that, and continues. What no command
// has started ends the process as always.
function catchUncaught(server) {
  if (!server[kStandalone]) forbidListeners(server);
  if (owners !== undefined) return;
  const { AsyncLocalStorage } = require('async_hooks');
  const { repls } = require('internal/process/execution');
  owners = new AsyncLocalStorage();
  repls.current = () => owners.getStore();
  repls.take ??= (error, fromPromise) => {
    const owner = owners.getStore() ?? (fromPromise ? repls.ofRejection : undefined);
    if (owner === undefined || isOutputGone(owner, error)) return false;
    return owner.reportError(error) !== kUnhandled;
  };
}

// While a command runs the terminal is not in raw mode, and ctrl-c is a signal. It can come just
// before the command or just after it: then it must not end the process.
function watchSignal(server) {
  const onSignal = () => server.onKey('\x03', { ctrl: true, name: 'c', sequence: '\x03' }, () => {
    server.onInterrupt();
  });
  process.on('SIGINT', onSignal);
  server.once('exit', () => process.removeListener('SIGINT', onSignal));
}

// ---- Construction ----

function readOptions(prompt, stream, eval_, useGlobal, ignoreUndefined, replMode) {
  let options;
  if (prompt !== null && typeof prompt === 'object') {
    options = { ...prompt };
    stream = options.stream || options.socket;
  } else {
    options = { prompt, eval: eval_, useGlobal, ignoreUndefined, replMode };
  }
  if (!options.input && !options.output) {
    stream ||= process;
    options.input = stream.stdin || stream;
    options.output = stream.stdout || stream;
  }
  if (options.terminal === undefined) options.terminal = options.output.isTTY;
  options.terminal = Boolean(options.terminal);
  if (options.terminal && options.useColors === undefined) {
    options.useColors = require('internal/util/colors').shouldColorize(options.output);
  }
  options.prompt ??= '> ';
  if (options.breakEvalOnSigint && options.eval) throw new codes.ERR_INVALID_REPL_EVAL_CONFIG();
  return options;
}

function defineOldNames(server) {
  const { deprecateIfPending } = require('internal/repl/builtin_globals');
  const old = (access) => deprecateIfPending(access, 'repl.inputStream and repl.outputStream are ' +
    'deprecated. Use repl.input and repl.output instead', 'DEP0141');
  for (const [name, target] of [['inputStream', 'input'], ['outputStream', 'output']]) {
    Object.defineProperty(server, name, {
      configurable: true,
      enumerable: false,
      get: old(function() { return this[target]; }),
      set: old(function(value) { this[target] = value; }),
    });
  }
}

function isStrict(server) {
  return server.replMode === kStrict ||
    process.execArgv.some((option) => option.toLowerCase().replaceAll('_', '-') === '--use-strict');
}

// All that use it share its options: programs change them there.
function setUpDefaultWriter(server) {
  writer.options.colors = server.useColors;
  if (!server[kStandalone]) return;
  Object.defineProperty(inspect, 'replDefaults', {
    configurable: true,
    enumerable: true,
    get() { return writer.options; },
    set(options) {
      validateObject(options, 'options');
      Object.assign(writer.options, options);
    },
  });
}

function REPLServer(prompt, stream, eval_, useGlobal, ignoreUndefined, replMode) {
  const options = readOptions(prompt, stream, eval_, useGlobal, ignoreUndefined, replMode);
  defineOldNames(this);
  this[kStandalone] = options[kStandalone] === true;
  if (options.domain !== undefined) {
    throw new codes.ERR_INVALID_ARG_VALUE('options.domain', options.domain, 'is no longer supported');
  }
  this.allowBlockingCompletions = Boolean(options.allowBlockingCompletions);
  this.useColors = Boolean(options.useColors);
  this._userErrorHandler = options.handleError;
  this.useGlobal = Boolean(options.useGlobal);
  this.ignoreUndefined = Boolean(options.ignoreUndefined);
  this.replMode = options.replMode || kSloppy;
  this.underscoreAssigned = false;
  this.last = undefined;
  this.underscoreErrAssigned = false;
  this.lastError = undefined;
  this.breakEvalOnSigint = Boolean(options.breakEvalOnSigint);
  this.editorMode = false;
  this[kContextId] = undefined;
  this[kBufferedCommand] = '';
  this[kDeclarations] = [];
  this[kEvaluator] = new Evaluator(this);
  this[kHeld] = undefined;
  this[kInitialGetters] = new Map();
  this[kLexicalNames] = new Set();
  this[kLoading] = false;
  this[kPreview] = undefined;
  this[kRefusal] = undefined;
  this[kSawCtrlD] = false;
  this[kSawInterrupt] = false;
  this.eval = options.eval || ((code, context, file, finish) => {
    this[kEvaluator].evaluate(code, context, file, finish, (error) => this.reportError(error));
  });

  Reflect.apply(Interface, this, [{
    input: options.input,
    output: options.output,
    completer: options.completer || ((text, callback) => {
      require('internal/repl/complete').complete(this, text,
        this.editorMode ? this.completeOnEditorMode(callback) : callback);
    }),
    terminal: options.terminal,
    historySize: options.historySize,
    prompt: options.prompt,
    colorize: options.useColors ? require('internal/repl/highlight').highlight : undefined,
  }]);
  this._initialPrompt = options.prompt;
  this.resetContext();
  this.commands = { __proto__: null };
  defineCommands(this);
  this.writer = options.writer || require('repl').writer;
  if (this.writer === writer) setUpDefaultWriter(this);
  // From inside of the REPL one can look at it.
  if (this[kStandalone]) require('repl').repl = this;
  const ttyWrite = this._ttyWrite;
  this._ttyWrite = (s, key) => this.onKey(s, key || {}, (...args) => {
    Reflect.apply(ttyWrite, this, args);
  });
  const wantsPreview = options.preview === undefined ? !options.eval : options.preview;
  if (options.terminal && wantsPreview && process.env.TERM !== 'dumb') {
    const { Preview } = require('internal/repl/preview');
    this[kPreview] = new Preview(this, () => this[kBufferedCommand] !== '', () => isStrict(this));
  }

  catchUncaught(this);
  this.on('close', () => {
    if (this[kHeld] !== undefined) this[kHeld].push(() => this.emit('exit'));
    else this.emit('exit');
  });
  this.on('SIGINT', () => this.onInterrupt());
  if (this[kStandalone] && this.terminal) watchSignal(this);
  this.on('line', (line) => {
    if (this[kHeld] !== undefined) this[kHeld].push(() => this.onCommandLine(line));
    else this.onCommandLine(line);
  });
  this.on('SIGCONT', () => {
    if (!this.editorMode) {
      this.displayPrompt(true);
      return;
    }
    this.output.write(`${this._initialPrompt}.editor\n`);
    this.output.write('// Entering editor mode (Ctrl+D to finish, Ctrl+C to cancel)\n');
    this.output.write(`${this[kBufferedCommand]}\n`);
    this.prompt(true);
  });
  this.displayPrompt();
}
Object.setPrototypeOf(REPLServer.prototype, Interface.prototype);
Object.setPrototypeOf(REPLServer, Interface);

// ---- What node:repl documents ----

// (path, callback) or ({ filePath, size, removeHistoryDuplicates, onHistoryFileLoaded }, callback)
REPLServer.prototype.setupHistory = function setupHistory(config = { __proto__: null }, cb = undefined) {
  const { filePath, size, removeHistoryDuplicates: isUnique, onHistoryFileLoaded } =
    typeof config === 'string' ? { filePath: config } : config;
  if (size !== undefined) {
    validateNumber(size, 'size', 0);
    this.historySize = size;
  }
  if (isUnique !== undefined) this.removeHistoryDuplicates = Boolean(isUnique);
  const ready = typeof cb === 'function' ? cb : onHistoryFileLoaded;
  require('internal/repl/history').setupHistory(this, filePath, ready ?? (() => {}));
};

// Lines are written to the file at once.
Object.defineProperty(REPLServer.prototype, 'historyManager', {
  __proto__: null,
  configurable: true,
  get() { return { isFlushing: false, size: this.historySize, history: this.history, index: this.historyIndex }; },
});

REPLServer.prototype.clearBufferedCommand = function clearBufferedCommand() {
  this[kBufferedCommand] = '';
};

REPLServer.prototype.close = function close() {
  process.nextTick(() => Reflect.apply(Interface.prototype.close, this, []));
};

REPLServer.prototype.createContext = function() {
  const Module = require('module');
  let context = globalThis;
  if (!this.useGlobal) {
    const vm = require('vm');
    context = vm.createContext();
    // What every context has must be its own.
    const own = new Set(vm.runInContext('Object.getOwnPropertyNames(globalThis)', context));
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      if (own.has(name)) continue;
      Object.defineProperty(context, name, Object.getOwnPropertyDescriptor(globalThis, name));
    }
    context.global = context;
    const { Console } = require('console');
    Object.defineProperty(context, 'console', {
      configurable: true, enumerable: false, writable: true, value: new Console(this.output),
    });
  }
  const module = new Module('<repl>');
  const folder = currentFolder() ?? require('path').dirname(process.execPath);
  module.paths = [
    require('path').join(folder, 'repl', 'node_modules'),
    ...Module._nodeModulePaths(folder),
    ...Module.globalPaths,
  ];
  const load = require('internal/modules/cjs/loader').makeRequire(module);
  for (const [name, value] of [['module', module], ['require', load]]) {
    Object.defineProperty(context, name, { configurable: true, writable: true, value });
  }
  addBuiltinGlobals(context, load);
  return context;
};

REPLServer.prototype.resetContext = function() {
  this.context = this.createContext();
  this.underscoreAssigned = false;
  this.underscoreErrAssigned = false;
  this.lines = [];
  this.lines.level = [];
  this[kDeclarations].length = 0;
  this[kLexicalNames].clear();
  this[kInitialGetters].clear();
  const descriptors = Object.getOwnPropertyDescriptors(this.context);
  for (const name of Object.keys(descriptors)) {
    if (descriptors[name].get) this[kInitialGetters].set(name, descriptors[name].get);
  }
  for (const [name, value, assigned] of [['_', 'last', 'underscoreAssigned'],
                                         ['_error', 'lastError', 'underscoreErrAssigned']]) {
    Object.defineProperty(this.context, name, {
      configurable: true,
      get: () => this[value],
      set: (by) => {
        this[value] = by;
        if (this[assigned]) return;
        this[assigned] = true;
        this.output.write(`Expression assignment to ${name} now disabled.\n`);
      },
    });
  }
  this.emit('reset', this.context);
};

REPLServer.prototype.displayPrompt = function(preserveCursor) {
  this.setPromptOnly(this[kBufferedCommand] === '' ? this._initialPrompt : kContinuationPrompt);
  this.prompt(preserveCursor);
};

REPLServer.prototype.setPrompt = function setPrompt(prompt) {
  this._initialPrompt = prompt;
  Reflect.apply(Interface.prototype.setPrompt, this, [prompt]);
};

REPLServer.prototype.complete = function(...args) {
  Reflect.apply(this.completer, this, args);
};

// In an editor nothing is listed: only what all completions share is inserted.
REPLServer.prototype.completeOnEditorMode = function(callback) {
  return (error, results) => {
    if (error) return callback(error);
    const { 0: completions, 1: completeOn = '' } = results;
    let result = completions.filter(Boolean);
    if (completeOn && result.length !== 0) {
      const { commonPrefix } = require('internal/readline/editing');
      result = [commonPrefix(result)];
    }
    callback(null, [result, completeOn]);
  };
};

REPLServer.prototype.defineCommand = function(keyword, cmd) {
  if (typeof cmd === 'function') cmd = { action: cmd };
  else validateFunction(cmd.action, 'cmd.action');
  this.commands[keyword] = cmd;
};

// ---- Internals ----

const internals = {
  setPromptOnly(prompt) {
    Reflect.apply(Interface.prototype.setPrompt, this, [prompt]);
  },

  // While a promise is waited for, keys and lines are kept until it has settled.
  hold() {
    this[kHeld] = [];
  },

  release() {
    const held = this[kHeld];
    this[kHeld] = undefined;
    while (held.length > 0) {
      // The next command can wait for a promise as well.
      if (this[kHeld] !== undefined) {
        this[kHeld].push(...held);
        return;
      }
      held.shift()();
    }
  },

  // Whether a global is still what it was at the beginning.
  isInitialGlobal(name, getter) {
    return this[kInitialGetters].get(name) === getter;
  },

  // The variables that commands have declared; they are looked for when they are asked for.
  lexicalNames() {
    const { lexicalNames } = require('internal/repl/syntax');
    for (const code of this[kDeclarations].splice(0)) {
      for (const name of lexicalNames(code)) this[kLexicalNames].add(name);
    }
    return this[kLexicalNames];
  },

  // Returns 'unhandled' if the program wants the error to end the process.
  reportError(error) {
    const state = this._userErrorHandler?.(error) ?? 'print';
    if (state !== 'ignore' && state !== 'print' && state !== kUnhandled) {
      this[kRefusal] = new codes.ERR_INVALID_STATE('External REPL error handler must return either ' +
        `"ignore", "print", or "unhandled", but received: ${state}`);
      throw this[kRefusal];
    }
    if (state === 'print') this.showError(error);
    return state;
  },

  showError(error) {
    const { describe } = require('internal/repl/report');
    const text = describe(error, this.writer);
    if (!this.underscoreErrAssigned) this.lastError = error;
    this.clearBufferedCommand();
    if (this[kStandalone] && process.listenerCount('uncaughtException') > 0) {
      process.nextTick(() => {
        process.emit('uncaughtException', error, 'uncaughtException');
        if (!this.closed) this.displayPrompt();
      });
      return;
    }
    this.output.write(text);
    if (!this.closed) this.displayPrompt();
  },

  // ---- Lines ----

  onCommandLine(line) {
    line ??= '';
    this[kSawInterrupt] = false;
    if (this.editorMode) {
      this[kBufferedCommand] += `${line}\n`;
      this.lines.push(line);
      // The next line begins below the first word of this one.
      const indent = this[kSawKeyPress] && !this[kLoading] ? /^\s*/.exec(line)[0] : '';
      if (indent !== '') {
        this.write(indent);
        this.line = indent;
        this.cursor = indent.length;
      }
      return;
    }
    const trimmed = line.trim();
    if (/^\.(?!\.)/.test(trimmed) && Number.isNaN(Number.parseFloat(trimmed))) {
      const [, keyword, rest] = /^\.(\S*)\s*(.*)$/.exec(trimmed);
      if (this.runCommand(keyword, rest)) return;
      if (this[kBufferedCommand] === '') {
        this.output.write('Invalid REPL keyword\n');
        this.finish(line, null, undefined, false);
        return;
      }
    }
    this.evaluateLine(line);
  },

  runCommand(keyword, rest) {
    const command = this.commands[keyword];
    if (!command) return false;
    Reflect.apply(command.action, this, [rest]);
    return true;
  },

  evaluateLine(line) {
    const code = `${this[kBufferedCommand]}${line}\n`;
    lines++;
    let evaluated = false;
    try {
      owners.run(this, () => {
        const server = this;
        this.eval(code, this.context, `REPL${lines}`, function(error, value) {
          evaluated = true;
          server.finish(line, error, code, arguments.length > 1, value);
        });
      });
    } catch (error) {
      if (evaluated || error === this[kRefusal]) throw error; // it is not the command's
      this.reportError(error);
    }
  },

  // A value, be it undefined, is there only if `hasValue`. No list: a command may have taken the
  // iterator of arrays away.
  finish(line, error, code, hasValue, value) {
    const goesOn = error instanceof Recoverable && !this[kSawCtrlD];
    if (goesOn && this.terminal) {
      breakRow(this);
      return;
    }
    const rows = line.split('\r'); // for .save
    for (let i = 0; i < rows.length; i++) this.lines.push(rows[i]);
    if (error) {
      if (goesOn) {
        this[kBufferedCommand] += `${line}\n`;
        this.displayPrompt();
        return;
      }
      this[kLastCommandErrored] = true;
      this[kSawCtrlD] = false;
      if (this[kBufferedCommand] === '' && line.trim().startsWith('npm ')) {
        this.output.write('npm should be run outside of the Node.js REPL, in your normal shell.\n' +
          '(Press Ctrl+D to exit.)\n');
        this.displayPrompt();
        return;
      }
      this.reportError(error instanceof Recoverable ? error.err : error);
      this.clearBufferedCommand();
      return;
    }
    this.clearBufferedCommand();
    this[kSawCtrlD] = false;
    if (hasValue) {
      if (/\b(?:let|const|class)\b/.test(code)) this[kDeclarations].push(code);
      if (!this.ignoreUndefined || value !== undefined) {
        if (!this.underscoreAssigned) this.last = value;
        this.output.write(`${this.writer(value)}\n`);
      }
    }
    this[kLastCommandErrored] = false;
    if (!this.closed) this.displayPrompt();
  },

  // As if it had been typed in editor mode.
  loadText(text) {
    enterEditorMode(this);
    this[kLoading] = true;
    this.write(text);
    this[kLoading] = false;
    leaveEditorMode(this);
    this.write('\n');
  },

  // ---- Keys ----

  onInterrupt() {
    const empty = this.line.length === 0;
    this.clearLine();
    leaveEditorMode(this);
    if (this[kBufferedCommand] === '' && empty) {
      if (this[kSawInterrupt]) {
        this.close();
        this[kSawInterrupt] = false;
        return;
      }
      this.output.write('(To exit, press Ctrl+C again or Ctrl+D or type .exit)\n');
      this[kSawInterrupt] = true;
    } else {
      this[kSawInterrupt] = false;
    }
    this.clearBufferedCommand();
    this.displayPrompt();
  },

  onKey(s, key, write) {
    if (this[kHeld] !== undefined) {
      if (key.ctrl && key.name === 'c' && this[kEvaluator].interruptAwait !== undefined) {
        this[kEvaluator].interruptAwait();
        return;
      }
      const { isCompletionEnabled } = this;
      this[kHeld].push(() => {
        const now = this.isCompletionEnabled;
        this.isCompletionEnabled = isCompletionEnabled;
        this._ttyWrite(s, key);
        this.isCompletionEnabled = now;
      });
      return;
    }
    if (!this.editorMode || !this.terminal) {
      const ends = key.ctrl && key.name === 'd' && this.cursor === 0 && this.line.length === 0;
      if (ends) this.clearLine(); // what comes next starts on its own line, not after the prompt
      this[kPreview]?.clear(key);
      if (require('internal/repl/reverse_search').searchKey(this, s, key)) return;
      write(s, key);
      this[kPreview]?.show(key.name !== 'escape');
      return;
    }
    if (key.ctrl && !key.shift && key.name === 'd') {
      leaveEditorMode(this);
      this[kSawCtrlD] = true;
      write(s, { name: 'return' });
      return;
    }
    // There is no history inside of a text.
    const isHistoryKey = key.ctrl ?
      key.name === 'n' || key.name === 'p' :
      key.name === 'up' || key.name === 'down';
    if (isHistoryKey) return;
    if (key.name === 'tab') this._previousKey = null; // nor lists of completions
    write(s, key);
  },
};
for (const name of Object.keys(internals)) {
  Object.defineProperty(REPLServer.prototype, name, {
    configurable: true, enumerable: false, writable: true, value: internals[name],
  });
}

// As a class: V8 throws where it is called without `new`.
const REPLServerClass = { REPLServer: class extends REPLServer {} }.REPLServer;

module.exports = { REPLServer: REPLServerClass, kStandalone, writer };
