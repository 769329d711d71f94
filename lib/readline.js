'use strict';
// node:readline.

const EventEmitter = require('events');
const { AbortError } = require('internal/errors');
const {
  clearLine, clearScreenDown, cursorTo, moveCursor,
} = require('internal/readline/cursor');
const { Interface: InterfaceBase } = require('internal/readline/interface');
const { pressDumb } = require('internal/readline/key_bindings');
const { emitKeypressEvents, kSawKeyPress } = require('internal/readline/keys');
const symbols = require('internal/readline/symbols');
const { promisify } = require('internal/util/promisify');
const { validateAbortSignal } = require('internal/validators');

// A completer of one argument returns its answer; all others get a callback.
function withCallback(completer) {
  if (typeof completer !== 'function' || completer.length === 2) return completer;
  return (line, callback) => callback(null, completer(line));
}

function Interface(input, output, completer, terminal) {
  if (!(this instanceof Interface)) return new Interface(input, output, completer, terminal);
  Reflect.apply(InterfaceBase, this, [input, output, completer, terminal]);
  this.completer = withCallback(this.completer);
  if (process.env.TERM === 'dumb') this._ttyWrite = (s, key) => pressDumb(this, s, key);
}
Object.setPrototypeOf(Interface.prototype, InterfaceBase.prototype);
Object.setPrototypeOf(Interface, InterfaceBase);

// ---- Questions ----

Interface.prototype.question = function question(query, options, cb) {
  cb = typeof options === 'function' ? options : cb;
  const signal = options !== null && typeof options === 'object' ? options.signal : undefined;
  if (signal) {
    validateAbortSignal(signal, 'options.signal');
    if (signal.aborted) return;
    const onAbort = () => this[symbols.kQuestionCancel]();
    const listener = EventEmitter.addAbortListener(signal, onAbort);
    const answered = cb;
    cb = (answer) => {
      listener[Symbol.dispose]();
      return typeof answered === 'function' ? answered(answer) : undefined;
    };
  }
  if (typeof cb === 'function') this[symbols.kQuestion](query, cb);
};

Interface.prototype.question[promisify.custom] = function question(query, options) {
  const signal = options !== null && typeof options === 'object' ? options.signal : undefined;
  if (signal?.aborted) {
    return Promise.reject(new AbortError(undefined, { cause: signal.reason }));
  }
  return new Promise((resolve, reject) => {
    let answered = resolve;
    if (signal) {
      const onAbort = () => reject(new AbortError(undefined, { cause: signal.reason }));
      const listener = EventEmitter.addAbortListener(signal, onAbort);
      answered = (answer) => {
        listener[Symbol.dispose]();
        resolve(answer);
      };
    }
    this.question(query, options, answered);
  });
};

// ---- The names with an underscore, which programs use and replace ----

Interface.prototype._tabComplete = function(lastKeypressWasTab) {
  this.pause();
  this.completer(this.line.slice(0, this.cursor), (error, value) => {
    this.resume();
    if (error) {
      const { inspect } = require('internal/util/inspect');
      this._writeToOutput(`Tab completion error: ${inspect(error)}`);
      return;
    }
    this[symbols.kShowCompletions](lastKeypressWasTab, value);
  });
};

for (const name of [
  '_setRawMode', '_onLine', '_writeToOutput', '_addHistory', '_refreshLine', '_normalWrite',
  '_insertString', '_wordLeft', '_wordRight', '_deleteLeft', '_deleteRight', '_deleteWordLeft',
  '_deleteWordRight', '_deleteLineLeft', '_deleteLineRight', '_line', '_historyNext',
  '_historyPrev', '_getDisplayPos', '_moveCursor', '_ttyWrite',
]) {
  Interface.prototype[name] = InterfaceBase.prototype[name];
}
Interface.prototype._getCursorPos = InterfaceBase.prototype.getCursorPos;

for (const symbol of [
  symbols.kDecoder, symbols.kLineBuffer, symbols.kOldPrompt, symbols.kPreviousKey, symbols.kPrompt,
  symbols.kQuestionCallback, kSawKeyPress, symbols.kSawReturnAt,
]) {
  Object.defineProperty(Interface.prototype, symbol.description, {
    configurable: true,
    enumerable: false,
    get() { return this[symbol]; },
    set(value) { this[symbol] = value; },
  });
}

function createInterface(input, output, completer, terminal) {
  return new Interface(input, output, completer, terminal);
}

module.exports = {
  Interface,
  clearLine,
  clearScreenDown,
  createInterface,
  cursorTo,
  emitKeypressEvents,
  moveCursor,
  get promises() {
    return require('readline/promises');
  },
};
