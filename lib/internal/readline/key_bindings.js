'use strict';
// Which key does what while a line is edited: those of Emacs, as in Node.

const { AbortError } = require('internal/errors');
const { clearScreenDown, cursorTo } = require('internal/readline/cursor');
const {
  kIsMultiline, kPreviousKey, kQuestionReject, kSawReturnAt, kSubstringSearch, kWantedColumn, kYanking,
} = require('internal/readline/symbols');

const kLineEnd = /\r\n|\n|\r/;
const kUndoKey = 0x1f;
const kRedoKey = 0x1e;

function interrupt(self) {
  if (self.listenerCount('SIGINT') > 0) self.emit('SIGINT');
  else closeBy(self, 'C'); // as the terminal would do it if it were not in raw mode
}

// A question of node:readline/promises stays unanswered.
function closeBy(self, key) {
  self.close();
  self[kQuestionReject]?.(new AbortError(`Aborted with Ctrl+${key}`));
}

function endOfInput(self) {
  if (self.cursor === 0 && self.line.length === 0) closeBy(self, 'D');
  else if (self.cursor < self.line.length) self._deleteRight();
}

function suspend(self) {
  if (self.listenerCount('SIGTSTP') > 0) {
    self.emit('SIGTSTP');
    return;
  }
  process.once('SIGCONT', () => {
    // Whoever came to the foreground meanwhile has its own mode of the terminal.
    if (!self.paused) {
      self.pause();
      self.emit('SIGCONT');
    }
    self._setRawMode(true);
    self._refreshLine();
  });
  self._setRawMode(false);
  process.kill(process.pid, 'SIGTSTP');
}

function clearScreen(self) {
  cursorTo(self.output, 0, 0);
  clearScreenDown(self.output);
  self._refreshLine();
}

// \r and \n shortly after it are one end of a line.
function carriageReturn(self) {
  self[kSawReturnAt] = Date.now();
  self._line();
}

function lineFeed(self) {
  if (self[kSawReturnAt] === 0 || Date.now() - self[kSawReturnAt] > self.crlfDelay) self._line();
  self[kSawReturnAt] = 0;
}

// Text that was pasted can hold ends of lines.
function insert(self, text) {
  const parts = text.split(kLineEnd);
  for (let i = 0; i < parts.length; i++) { // a program may have deleted what iterates arrays
    if (i > 0) self._line();
    self._insertString(parts[i]);
  }
}

const control = {
  c: interrupt,
  h: (self) => self._deleteLeft(),
  d: endOfInput,
  u: (self) => self._deleteLineLeft(),
  k: (self) => self._deleteLineRight(),
  a: (self) => self._moveCursor(-Infinity),
  e: (self) => self._moveCursor(Infinity),
  b: (self) => self._charLeft(),
  f: (self) => self._charRight(),
  l: clearScreen,
  n: (self) => self._historyNext(),
  p: (self) => self._historyPrev(),
  y: (self) => self._yank(),
  z: suspend,
  w: (self) => self._deleteWordLeft(),
  backspace: (self) => self._deleteWordLeft(),
  delete: (self) => self._deleteWordRight(),
  left: (self) => self._wordLeft(),
  right: (self) => self._wordRight(),
};

const controlShift = {
  backspace: (self) => self._deleteLineLeft(),
  delete: (self) => self._deleteLineRight(),
};

const meta = {
  b: (self) => self._wordLeft(),
  f: (self) => self._wordRight(),
  d: (self) => self._deleteWordRight(),
  delete: (self) => self._deleteWordRight(),
  backspace: (self) => self._deleteWordLeft(),
  y: (self) => self._yankPop(),
};

const plain = {
  return: carriageReturn,
  enter: lineFeed,
  backspace: (self) => self._deleteLeft(),
  delete: (self) => self._deleteRight(),
  left: (self) => self._charLeft(),
  right: (self) => self._charRight(),
  home: (self) => self._moveCursor(-Infinity),
  end: (self) => self._moveCursor(Infinity),
  up: (self) => self._rowUp(),
  down: (self) => self._rowDown(),
};
for (const table of [control, controlShift, meta, plain]) Object.setPrototypeOf(table, null);

// Arrows up and down go through those entries of the history that begin as the line did when the
// first of them was pressed.
function followSearch(self, key) {
  const arrow = (key.name === 'up' || key.name === 'down') && !key.ctrl && !key.meta && !key.shift;
  if (arrow) {
    if (self[kSubstringSearch] === null && !self[kIsMultiline]) self[kSubstringSearch] = self.line.slice(0, self.cursor);
  } else if (self[kSubstringSearch] !== null) {
    self[kSubstringSearch] = null;
    if (self.history.length === self.historyIndex) self.historyIndex = -1;
  }
}

function act(self, s, key) {
  const previousKey = self[kPreviousKey];
  self[kPreviousKey] = key;
  if (!key.meta || key.name !== 'y') self[kYanking] = false;
  followSearch(self, key);

  if (typeof key.sequence === 'string') {
    const code = key.sequence.codePointAt(0);
    if (code === kUndoKey) return self._undo();
    if (code === kRedoKey) return self._redo();
  }
  if (key.name === 'escape') return;

  if (key.ctrl && key.shift) {
    controlShift[key.name]?.(self);
  } else if (key.ctrl) {
    control[key.name]?.(self);
  } else if (key.meta) {
    meta[key.name]?.(self);
  } else {
    if (key.name !== 'enter') self[kSawReturnAt] = 0;
    if (key.name in plain) {
      plain[key.name](self);
    } else if (key.name === 'tab' && typeof self.completer === 'function' &&
               self.isCompletionEnabled) {
      self._tabComplete(previousKey && previousKey.name === 'tab');
    } else if (typeof s === 'string' && s) {
      insert(self, s);
    }
  }
}

function press(self, s, key) {
  key = key || {};
  act(self, s, key);
  // Only from row to row the cursor remembers the column it came from.
  const betweenRows = (key.name === 'up' || key.name === 'down') && !key.ctrl && !key.meta;
  if (!betweenRows) self[kWantedColumn] = -1;
}

// For a terminal that cannot move its cursor: a line only grows.
function pressDumb(self, s, key) {
  key = key || {};
  if (key.name === 'escape') return;
  if (self[kSawReturnAt] && key.name !== 'enter') self[kSawReturnAt] = 0;
  if (key.ctrl) {
    if (key.name === 'c' && self.listenerCount('SIGINT') > 0) self.emit('SIGINT');
    else if (key.name === 'c') self.close();
    else if (key.name === 'd') self.close();
    return;
  }
  if (key.name === 'return') {
    carriageReturn(self);
  } else if (key.name === 'enter') {
    lineFeed(self);
  } else if (typeof s === 'string' && s) {
    self.line += s;
    self.cursor += s.length;
    self._writeToOutput(s);
  }
}

module.exports = { press, pressDumb };
