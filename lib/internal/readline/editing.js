'use strict';
// Editing a line on a terminal: the methods of an Interface that have to do with its line, its
// cursor and its history. interface.js puts them on the prototype.

const { getStringWidth } = require('internal/inspect/text');
const { clearScreenDown, cursorTo, moveCursor } = require('internal/readline/cursor');
const { charLengthAt } = require('internal/readline/keys');
const { press } = require('internal/readline/key_bindings');
const {
  fromHistoryEntry, kContinuationPrompt, moveRow, rememberLine, reverseRows, setLine, showRows,
  toHistoryEntry,
} = require('internal/readline/multiline');
const {
  kColorize, kIsMultiline, kKillRing, kKillRingCursor, kLastCommandErrored, kPrompt, kRedoStack,
  kShowCompletions, kSubstringSearch, kUndoStack, kWantedColumn, kYanking,
} = require('internal/readline/symbols');

const kMostUndos = 2048;
const kMostKills = 32;

// To the right a word includes the blanks after it, to the left those before the cursor.
const kWordToTheRight = /^(?:\s+|[^\w\s]+|\w+)\s*/;
const kDeletedToTheRight = /^(?:\s+|\W+|\w+)\s*/;

function charLengthLeft(text, index) {
  if (index <= 0) return 0;
  const pair = (i) => i >= 0 && text.codePointAt(i) > 0xffff;
  return pair(index - 2) || pair(index - 1) ? 2 : 1;
}

// By hand: a regular expression for the end of a text would be tried at each position.
function wordLengthLeft({ line, cursor }) {
  let begin = cursor;
  while (begin > 0 && /\s/.test(line[begin - 1])) begin--;
  const kind = /\w/.test(line[begin - 1] ?? ' ') ? /\w/ : /[^\w\s]/;
  while (begin > 0 && kind.test(line[begin - 1])) begin--;
  return cursor - begin;
}

function commonPrefix(texts) {
  if (texts.length === 0) return '';
  let prefix = texts[0];
  for (const text of texts) {
    let same = 0;
    while (same < prefix.length && prefix[same] === text[same]) same++;
    prefix = prefix.slice(0, same);
  }
  return prefix;
}

// Columns of equal width; an empty text begins a new group, with a blank line before it.
function inColumns(completions, columns) {
  const widths = completions.map((text) => getStringWidth(text));
  const width = Math.max(...widths) + 2;
  let perLine = Math.floor(columns / width);
  if (perLine === Infinity || perLine < 1) perLine = 1;
  let output = '\r\n';
  let inLine = 0;
  let gap = 0;
  completions.forEach((text, i) => {
    if (text === '' || inLine === perLine) {
      output += '\r\n';
      inLine = 0;
      gap = 0;
    }
    if (text === '') {
      output += '\r\n';
      return;
    }
    output += ' '.repeat(gap) + text;
    gap = width - widths[i];
    inLine++;
  });
  return inLine === 0 ? output : `${output}\r\n\r\n`;
}

// Removes a part of the line, and leaves the cursor where it was.
function cut(self, begin, end) {
  const removed = self.line.slice(begin, end);
  self.line = self.line.slice(0, begin) + self.line.slice(end);
  self.cursor = begin;
  return removed;
}

function restore(self, from, to) {
  if (from.length === 0) return;
  to.push({ text: self.line, cursor: self.cursor });
  const { text, cursor } = from.pop();
  setLine(self, text);
  self.cursor = cursor;
  self._refreshLine();
}

// Goes on in the history to the next entry that begins with what is searched for and differs from
// what is shown; past either end of the history comes the text that was searched for.
function walkHistory(self, step) {
  self._beforeEdit(self.line, self.cursor);
  const search = self[kSubstringSearch] || '';
  const { history } = self;
  let index = self.historyIndex + step;
  while (index >= 0 && index < history.length &&
         (!history[index].startsWith(search) || self.line === history[index])) {
    index += step;
  }
  const past = index === -1 || index === history.length;
  setLine(self, past ? search : fromHistoryEntry(history[index]));
  self.historyIndex = index;
  self.cursor = self.line.length;
  self._refreshLine();
}

const editing = {
  // ---- Where things are on the screen ----

  _getDisplayPos(str) {
    const { columns, tabSize } = this;
    let offset = 0;
    let rows = 0;
    for (const char of require('internal/util/inspect').stripVTControlCharacters(str)) {
      if (char === '\n') {
        rows += Math.ceil(offset / columns) || 1;
        offset = this[kIsMultiline] ? kContinuationPrompt.length : 0;
      } else if (char === '\t') {
        offset += tabSize - (offset % tabSize);
      } else {
        const width = getStringWidth(char, false);
        // A wide character that has one column left begins on the next row.
        if (width === 2 && (offset + 1) % columns === 0) offset++;
        offset += width;
      }
    }
    const cols = offset % columns;
    rows += (offset - cols) / columns;
    return { cols, rows };
  },

  getCursorPos() {
    return this._getDisplayPos(this[kPrompt] + this.line.slice(0, this.cursor));
  },

  // Writes prompt and line again, over the current ones.
  _refreshLine() {
    const text = this[kPrompt] + this.line;
    const end = this._getDisplayPos(text);
    const cursor = this.getCursorPos();
    const rowsAbove = this.prevRows || 0;
    if (rowsAbove > 0) moveCursor(this.output, 0, -rowsAbove);
    cursorTo(this.output, 0);
    clearScreenDown(this.output);
    showRows(this, this[kPrompt], this[kColorize]);
    // At the right edge the terminal goes to the next row only with the next character.
    if (end.cols === 0) this._writeToOutput(' ');
    cursorTo(this.output, cursor.cols);
    if (end.rows > cursor.rows) moveCursor(this.output, 0, cursor.rows - end.rows);
    this.prevRows = cursor.rows;
  },

  _moveCursor(dx) {
    if (dx === 0) return;
    const before = this.getCursorPos();
    this.cursor = Math.min(Math.max(this.cursor + dx, 0), this.line.length);
    const after = this.getCursorPos();
    if (before.rows === after.rows) moveCursor(this.output, after.cols - before.cols, 0);
    else this._refreshLine();
  },

  // Leaves the line as it is on the screen and begins an empty one below it.
  clearLine() {
    this._moveCursor(Infinity);
    this._writeToOutput('\r\n');
    setLine(this, '');
    this.cursor = 0;
    this.prevRows = 0;
  },

  // ---- Undo ----

  _beforeEdit(oldText, oldCursor) {
    this._pushToUndoStack(oldText, oldCursor);
  },

  _pushToUndoStack(text, cursor) {
    if (this[kUndoStack].push({ text, cursor }) > kMostUndos) this[kUndoStack].shift();
  },

  _undo() {
    restore(this, this[kUndoStack], this[kRedoStack]);
  },

  _redo() {
    restore(this, this[kRedoStack], this[kUndoStack]);
  },

  // ---- Moving ----

  _charLeft() {
    this._moveCursor(-charLengthLeft(this.line, this.cursor));
  },

  _charRight() {
    this._moveCursor(charLengthAt(this.line, this.cursor));
  },

  _wordLeft() {
    if (this.cursor > 0) this._moveCursor(-wordLengthLeft(this));
  },

  _wordRight() {
    if (this.cursor >= this.line.length) return;
    this._moveCursor(kWordToTheRight.exec(this.line.slice(this.cursor))[0].length);
  },

  // ---- Inserting and deleting ----

  _insertString(c) {
    this._beforeEdit(this.line, this.cursor);
    const atEnd = this.cursor === this.line.length;
    const before = atEnd && this.isCompletionEnabled ? this.getCursorPos() : undefined;
    this.line = this.line.slice(0, this.cursor) + c + this.line.slice(this.cursor);
    this.cursor += c.length;
    if (!this.isCompletionEnabled) {
      // Text that is pasted comes a character at a time: to measure and to show the whole line for
      // each would take a time that grows with the square of its length.
      this._showInserted(c, this[kColorize] === undefined);
    } else if (atEnd) {
      const fits = this.getCursorPos().rows <= before.rows;
      this._showInserted(c, fits && this[kColorize] === undefined);
    } else {
      setLine(this, this.line);
      this._refreshLine();
    }
  },

  _showInserted(c, alone) {
    if (alone) this._writeToOutput(c);
    else this._refreshLine();
  },

  _deleteLeft() {
    if (this.cursor === 0 || this.line.length === 0) return;
    this._beforeEdit(this.line, this.cursor);
    cut(this, this.cursor - charLengthLeft(this.line, this.cursor), this.cursor);
    this._refreshLine();
  },

  _deleteRight() {
    if (this.cursor >= this.line.length) return;
    this._beforeEdit(this.line, this.cursor);
    cut(this, this.cursor, this.cursor + charLengthAt(this.line, this.cursor));
    this._refreshLine();
  },

  _deleteWordLeft() {
    if (this.cursor === 0) return;
    this._beforeEdit(this.line, this.cursor);
    cut(this, this.cursor - wordLengthLeft(this), this.cursor);
    this._refreshLine();
  },

  _deleteWordRight() {
    if (this.cursor >= this.line.length) return;
    this._beforeEdit(this.line, this.cursor);
    const length = kDeletedToTheRight.exec(this.line.slice(this.cursor))[0].length;
    cut(this, this.cursor, this.cursor + length);
    this._refreshLine();
  },

  _deleteLineLeft() {
    this._beforeEdit(this.line, this.cursor);
    this._pushToKillRing(cut(this, 0, this.cursor));
    setLine(this, this.line);
    this._refreshLine();
  },

  _deleteLineRight() {
    this._beforeEdit(this.line, this.cursor);
    this._pushToKillRing(cut(this, this.cursor, this.line.length));
    setLine(this, this.line);
    this._refreshLine();
  },

  // ---- The kill ring ----

  _pushToKillRing(text) {
    const ring = this[kKillRing];
    if (!text || text === ring[0]) return;
    ring.unshift(text);
    this[kKillRingCursor] = 0;
    if (ring.length > kMostKills) ring.pop();
  },

  _yank() {
    if (this[kKillRing].length === 0) return;
    this[kYanking] = true;
    this._insertString(this[kKillRing][this[kKillRingCursor]]);
  },

  // Replaces what was just inserted by what was cut before it.
  _yankPop() {
    const ring = this[kKillRing];
    if (!this[kYanking] || ring.length < 2) return;
    const last = ring[this[kKillRingCursor]];
    this[kKillRingCursor] = (this[kKillRingCursor] + 1) % ring.length;
    const next = ring[this[kKillRingCursor]];
    const head = this.line.slice(0, this.cursor - last.length);
    setLine(this, head + next + this.line.slice(this.cursor));
    this.cursor = head.length + next.length;
    this._refreshLine();
  },

  // ---- The end of the line; history ----

  _line() {
    rememberLine(this);
    const line = this._addHistory();
    this[kUndoStack] = [];
    this[kRedoStack] = [];
    this.clearLine();
    this._onLine(line);
  },

  _addHistory() {
    const { line, history } = this;
    if (line.length === 0) return '';
    if (this.historySize === 0 || line.trim().length === 0) return line;
    // What becomes longer row by row, or is corrected after an error, replaces its earlier form.
    const several = this[kIsMultiline];
    if ((several && this.historyIndex === -1) || this[kLastCommandErrored]) history.shift();
    const entry = toHistoryEntry(line);
    if (history[0] !== entry) {
      if (this.removeHistoryDuplicates) {
        const duplicate = history.indexOf(entry);
        if (duplicate !== -1) history.splice(duplicate, 1);
      }
      history.unshift(entry);
      if (history.length > this.historySize) history.pop();
    }
    this.historyIndex = -1;
    // A listener may take the line out of the history, because it holds a secret: keep it first.
    const added = several ? reverseRows(history[0], '\r', '\r') : history[0];
    this.emit('history', history);
    return added;
  },

  _rowDown() {
    if (moveRow(this, 1)) return;
    this[kWantedColumn] = -1;
    this._historyNext();
  },

  _rowUp() {
    if (moveRow(this, -1)) return;
    this[kWantedColumn] = -1;
    this._historyPrev();
  },

  _historyNext() {
    if (this.historyIndex >= 0) walkHistory(this, -1);
  },

  _historyPrev() {
    if (this.history.length > 0 && this.historyIndex < this.history.length) walkHistory(this, 1);
  },

  // ---- Completion ----

  // The completer has answered: insert what all answers share, or list them on the second tab.
  [kShowCompletions](lastKeypressWasTab, { 0: completions, 1: completeOn }) {
    if (!completions || completions.length === 0) return;
    const prefix = commonPrefix(completions.filter((text) => text !== ''));
    if (prefix.startsWith(completeOn) && prefix.length > completeOn.length) {
      this._insertString(prefix.slice(completeOn.length));
      return;
    }
    if (!completeOn.startsWith(prefix)) {
      const begin = this.cursor - completeOn.length;
      setLine(this, this.line.slice(0, begin) + prefix + this.line.slice(this.cursor));
      this.cursor = begin + prefix.length;
      this._refreshLine();
      return;
    }
    if (!lastKeypressWasTab) return;
    this._beforeEdit(this.line, this.cursor);
    this._writeToOutput(inColumns(completions, this.columns));
    this._refreshLine();
  },

  // ---- Keys ----

  _ttyWrite(s, key) {
    press(this, s, key);
  },
};

module.exports = { commonPrefix, editing };
