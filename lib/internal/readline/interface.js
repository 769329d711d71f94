'use strict';
// What readline.Interface and the Interface of readline/promises share: from a stream to lines.
//
// With a terminal every key is looked at (editing.js); without, the text is cut at the ends of its
// lines. All methods are called by name, so that a program can replace one: masking a password by
// replacing _writeToOutput() is the classic.

const EventEmitter = require('events');
const { codes } = require('internal/errors');
const { editing } = require('internal/readline/editing');
const { emitKeypressEvents, kSawKeyPress } = require('internal/readline/keys');
const {
  kColorize, kDecoder, kIsMultiline, kKillRing, kKillRingCursor, kLastCommandErrored, kLineBuffer,
  kLineObjectStream, kOldPrompt, kPreviousKey, kPrompt, kQuestion, kQuestionCallback,
  kQuestionCancel, kRedoStack, kSawReturnAt, kSubstringSearch, kUndoStack, kWantedColumn,
} = require('internal/readline/symbols');
const { StringDecoder } = require('string_decoder');
const {
  validateAbortSignal, validateArray, validateNumber, validateString, validateUint32,
} = require('internal/validators');

const kDefaultHistorySize = 30;
const kLeastCrlfDelay = 100;
const kDefaultEscapeTimeout = 500;
const kDefaultTabSize = 8;
const kLinesAhead = 1024;
const kFirstEventParam = Symbol.for('nodejs.kFirstEventParam');
const kLineEnd = /\r\n|\n|\r|\u2028|\u2029/;

// ---- Construction ----

// Both forms of the arguments: (input, output, completer, terminal), and one object.
function readOptions(self, input, output, completer, terminal) {
  const options = input?.input ? input : undefined;
  if (options === undefined) return { input, output, completer, terminal };
  const { tabSize, escapeCodeTimeout, signal } = options;
  if (tabSize !== undefined) {
    validateUint32(tabSize, 'tabSize', true);
    self.tabSize = tabSize;
  }
  if (escapeCodeTimeout !== undefined) {
    if (!Number.isFinite(escapeCodeTimeout)) {
      throw new codes.ERR_INVALID_ARG_VALUE('input.escapeCodeTimeout', self.escapeCodeTimeout);
    }
    self.escapeCodeTimeout = escapeCodeTimeout;
  }
  if (signal) validateAbortSignal(signal, 'options.signal');
  return {
    input: options.input,
    output: options.output,
    completer: options.completer,
    terminal: options.terminal,
    history: options.history,
    historySize: options.historySize,
    removeHistoryDuplicates: options.removeHistoryDuplicates,
    prompt: options.prompt,
    colorize: options.colorize,
    crlfDelay: options.crlfDelay,
    signal,
  };
}

function validateOptions({ completer, history, historySize }) {
  if (completer !== undefined && typeof completer !== 'function') {
    throw new codes.ERR_INVALID_ARG_VALUE('completer', completer);
  }
  if (history !== undefined) validateArray(history, 'history');
  if (historySize !== undefined) validateNumber(historySize, 'size', 0);
}

// Each of `listeners` is an emitter, an event and a function.
function listenUntilClosed(self, listeners) {
  for (const [emitter, event, listener] of listeners) emitter.on(event, listener);
  self.once('close', () => {
    for (const [emitter, event, listener] of listeners) emitter.removeListener(event, listener);
  });
}

function attachText(self, input, onError) {
  function onData(data) {
    self._normalWrite(data);
  }
  function onEnd() {
    if (typeof self[kLineBuffer] === 'string' && self[kLineBuffer].length > 0) {
      self.emit('line', self[kLineBuffer]);
    }
    self.close();
  }
  self[kDecoder] = new StringDecoder('utf8');
  listenUntilClosed(self,
    [[input, 'error', onError], [input, 'data', onData], [input, 'end', onEnd]]);
}

function isSurrogate(code) {
  return code >= 0xd800 && code <= 0xdfff;
}

function attachTerminal(self, input, output, onError) {
  function onKeypress(s, key) {
    self._ttyWrite(s, key);
    // Half a character has been shown; now that the other half may be there, show both.
    if (key?.sequence && isSurrogate(key.sequence.codePointAt(0))) self._refreshLine();
  }
  function onEnd() {
    if (typeof self.line === 'string' && self.line.length > 0) self.emit('line', self.line);
    self.close();
  }
  emitKeypressEvents(input, self);
  const listeners =
    [[input, 'error', onError], [input, 'keypress', onKeypress], [input, 'end', onEnd]];
  if (output !== null && output !== undefined) {
    listeners.push([output, 'resize', () => self._refreshLine()]);
  }
  listenUntilClosed(self, listeners);
  self._setRawMode(true);
  self.terminal = true;
  self.cursor = 0;
  self.historyIndex = -1;
}

function closeOnAbort(self, signal) {
  const onAborted = () => self.close();
  if (signal.aborted) {
    process.nextTick(onAborted);
    return;
  }
  const listener = EventEmitter.addAbortListener(signal, onAborted);
  self.once('close', () => listener[Symbol.dispose]());
}

// A function and not a class: old programs call it on objects of their own.
function Interface(input, output, completer, terminal) {
  this[kSawReturnAt] = 0;
  this.isCompletionEnabled = true;
  this[kSawKeyPress] = false;
  this[kPreviousKey] = null;
  this.escapeCodeTimeout = kDefaultEscapeTimeout;
  this.tabSize = kDefaultTabSize;
  Reflect.apply(EventEmitter, this, []);

  const options = readOptions(this, input, output, completer, terminal);
  validateOptions(options);
  ({ input, output } = options);

  this.line = '';
  this[kColorize] = options.colorize;
  this[kIsMultiline] = false;
  this[kLastCommandErrored] = false;
  this[kSubstringSearch] = null;
  this.output = output;
  this.input = input;
  this[kUndoStack] = [];
  this[kRedoStack] = [];
  this[kWantedColumn] = -1;
  this.history = options.history ?? [];
  this.historySize = options.historySize ?? kDefaultHistorySize;
  // What was cut, for ctrl-y; the cursor names the entry that was inserted last.
  this[kKillRing] = [];
  this[kKillRingCursor] = 0;
  this.removeHistoryDuplicates = Boolean(options.removeHistoryDuplicates);
  this.crlfDelay = options.crlfDelay ?
    Math.max(kLeastCrlfDelay, options.crlfDelay) :
    kLeastCrlfDelay;
  this.completer = options.completer;
  this.setPrompt(options.prompt === undefined ? '> ' : options.prompt);
  this.terminal = options.terminal === undefined ? Boolean(output?.isTTY) : Boolean(options.terminal);
  this[kLineObjectStream] = undefined;

  const onError = (error) => this.emit('error', error);
  if (this.terminal) attachTerminal(this, input, output, onError);
  else attachText(this, input, onError);
  if (options.signal) closeOnAbort(this, options.signal);
  input.resume();
}

// ---- Methods ----

const methods = {
  get columns() {
    return this.output?.columns ? this.output.columns : Infinity;
  },

  setPrompt(prompt) {
    this[kPrompt] = prompt;
  },

  getPrompt() {
    return this[kPrompt];
  },

  prompt(preserveCursor) {
    if (this.paused) this.resume();
    if (this.terminal && process.env.TERM !== 'dumb') {
      if (!preserveCursor) this.cursor = 0;
      this._refreshLine();
    } else {
      this._writeToOutput(this[kPrompt]);
    }
  },

  close() {
    if (this.closed) return;
    this.pause();
    if (this.terminal) this._setRawMode(false);
    this.closed = true;
    this.emit('close');
  },

  pause() {
    if (this.closed) throw new codes.ERR_USE_AFTER_CLOSE('readline');
    if (this.paused) return;
    this.input.pause();
    this.paused = true;
    this.emit('pause');
    return this;
  },

  resume() {
    if (this.closed) throw new codes.ERR_USE_AFTER_CLOSE('readline');
    if (!this.paused) return;
    this.input.resume();
    this.paused = false;
    this.emit('resume');
    return this;
  },

  write(d, key) {
    if (this.closed) throw new codes.ERR_USE_AFTER_CLOSE('readline');
    if (this.paused) this.resume();
    if (this.terminal) this._ttyWrite(d, key);
    else this._normalWrite(d);
  },

  _setRawMode(mode) {
    const before = this.input.isRaw;
    if (typeof this.input.setRawMode === 'function') this.input.setRawMode(mode);
    return before;
  },

  _writeToOutput(stringToWrite) {
    validateString(stringToWrite, 'stringToWrite');
    if (this.output !== null && this.output !== undefined) this.output.write(stringToWrite);
  },

  // A second question while one waits for its answer only shows the first one again.
  [kQuestion](query, callback) {
    if (this.closed) throw new codes.ERR_USE_AFTER_CLOSE('readline');
    if (!this[kQuestionCallback]) {
      this[kOldPrompt] = this[kPrompt];
      this.setPrompt(query);
      this[kQuestionCallback] = callback;
    }
    this.prompt();
  },

  [kQuestionCancel]() {
    if (!this[kQuestionCallback]) return;
    this[kQuestionCallback] = null;
    this.setPrompt(this[kOldPrompt]);
    this.clearLine();
  },

  _onLine(line) {
    const callback = this[kQuestionCallback];
    if (!callback) {
      this.emit('line', line);
      return;
    }
    this[kQuestionCallback] = null;
    this.setPrompt(this[kOldPrompt]);
    callback(line);
  },

  _normalWrite(b) {
    if (b === undefined) return;
    let text = this[kDecoder].write(b);
    // The other half of a line end that arrived in two pieces.
    if (this[kSawReturnAt] && Date.now() - this[kSawReturnAt] <= this.crlfDelay) {
      if (text.charCodeAt(0) === 0x0a) text = text.slice(1);
      this[kSawReturnAt] = 0;
    }
    // Only what is new can hold an end: a long line that comes in pieces is not searched again.
    if (!kLineEnd.test(text)) {
      if (text) this[kLineBuffer] = (this[kLineBuffer] || '') + text;
      return;
    }
    this[kSawReturnAt] = text.endsWith('\r') ? Date.now() : 0;
    const lines = text.split(kLineEnd);
    if (this[kLineBuffer]) lines[0] = this[kLineBuffer] + lines[0];
    this[kLineBuffer] = lines.pop();
    for (let i = 0; i < lines.length; i++) this._onLine(lines[i]);
  },

  [Symbol.asyncIterator]() {
    this[kLineObjectStream] ??= EventEmitter.on(this, 'line', {
      close: ['close'],
      highWaterMark: kLinesAhead,
      [kFirstEventParam]: true,
    });
    return this[kLineObjectStream];
  },
};

for (const source of [methods, editing]) {
  const descriptors = Object.getOwnPropertyDescriptors(source);
  for (const key of Reflect.ownKeys(descriptors)) descriptors[key].enumerable = false;
  Object.defineProperties(Interface.prototype, descriptors);
}
Interface.prototype[Symbol.dispose] = function() {
  this.close();
};
Object.defineProperty(Interface.prototype[Symbol.dispose], 'name', { __proto__: null, value: '[Symbol.dispose]' });
Object.setPrototypeOf(Interface.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Interface, EventEmitter);

module.exports = { Interface };
