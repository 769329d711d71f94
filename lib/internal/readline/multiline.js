'use strict';
// A line that has several rows, separated by '\n': a command of the REPL that is not complete goes
// on in the next row, and the arrows move between the rows before they reach the history.

const { clearScreenDown, moveCursor } = require('internal/readline/cursor');
const {
  kBeforeLineEnd, kIsMultiline, kPrompt, kWantedColumn,
} = require('internal/readline/symbols');

const kContinuationPrompt = '| ';

// Every way to another line but typing at its end, and a program that assigns to it.
function setLine(self, line) {
  self.line = line;
  self[kIsMultiline] = line.includes('\n');
}

// An entry of the history has its last row first, and '\r' between the rows: so it stays one line
// of the file, as Node stores it.
function reverseRows(text, separator, newSeparator) {
  return text.split(separator).reverse().join(newSeparator);
}

function toHistoryEntry(line) {
  return reverseRows(line, '\n', '\r');
}

function fromHistoryEntry(entry) {
  return reverseRows(entry, '\r', '\n');
}

// The rows as they are shown, each after its prompt.
function showRows(self, prompt, colorize = (row) => row) {
  const rows = self[kIsMultiline] ? self.line.split('\n') : [self.line];
  rows.forEach((row, i) => {
    self._writeToOutput((i === 0 ? prompt : `\n${kContinuationPrompt}`) + colorize(row));
  });
}

// Before the end of a line is processed: it may prove to be only the end of a row.
function rememberLine(self) {
  self[kBeforeLineEnd] = { line: self.line, cursor: self.cursor, prevRows: self.prevRows };
}

// Writes the rows from the one that was split on. The terminal's cursor is in the first column below
// the last row.
function rewriteSplitRow(self, before, after, rowsAbove) {
  const rowsBefore = before.split('\n');
  const rowsAfter = after.split('\n');
  if (rowsAbove > 0) {
    const above = rowsBefore.at(-2) ?? '';
    moveCursor(self.output, above.length + kContinuationPrompt.length, -rowsAfter.length - 1);
    after = `${rowsBefore.at(-1)}\n${after}`;
  } else {
    moveCursor(self.output, 0, 1 - rowsBefore.length - rowsAfter.length);
  }
  clearScreenDown(self.output);
  if (rowsAbove > 0) self._writeToOutput('\n');
  const head = rowsBefore.length === 1 ? `${self[kPrompt]}${before}\n` : '';
  self._writeToOutput(head + kContinuationPrompt);

  const cursor = self.getCursorPos();
  self._writeToOutput(after.replaceAll('\n', `\n${kContinuationPrompt}`));
  const end = self._getDisplayPos(self.line);
  moveCursor(self.output, cursor.cols - end.cols, cursor.rows - end.rows);
  self.prevRows = cursor.rows;
}

// The line whose end was just processed is not complete: takes it back, with the row split at the
// cursor.
function breakRow(self) {
  const { line, cursor, prevRows: rowsAbove } = self[kBeforeLineEnd];
  const before = line.slice(0, cursor);
  const after = line.slice(cursor);
  setLine(self, `${before}\n${after}`);
  self.cursor = cursor + 1;
  if (after !== '') {
    rewriteSplitRow(self, before, after, rowsAbove);
    return;
  }
  self._writeToOutput(kContinuationPrompt);
  self.prevRows = self.line.split('\n').length - 1;
}

// Moves the cursor one row up (-1) or down (1). A row that is too short takes it to its end; the
// column it came from is kept for the next row. Returns false if that row does not exist.
function moveRow(self, step) {
  if (!self[kIsMultiline]) return false;
  const rows = self.line.split('\n');
  const { cols, rows: row } = self.getCursorPos();
  if (row + step < 0 || row + step >= rows.length) return false;
  const target = rows[row + step].length;
  const toSameColumn = step > 0 ? rows[row].length + 1 : -target - 1;
  const toEnd = step > 0 ?
    rows[row].length - cols + kContinuationPrompt.length + target + 1 :
    1 - cols;
  let distance = toSameColumn;
  if (cols > target + 1) {
    if (self[kWantedColumn] === -1) self[kWantedColumn] = cols;
    distance = toEnd;
  } else if (self[kWantedColumn] > target) {
    distance = toEnd;
  } else if (self[kWantedColumn] !== -1) {
    distance += self[kWantedColumn] - cols;
    self[kWantedColumn] = -1;
  }
  self._moveCursor(distance);
  return true;
}

module.exports = {
  breakRow,
  fromHistoryEntry,
  kContinuationPrompt,
  moveRow,
  rememberLine,
  reverseRows,
  setLine,
  showRows,
  toHistoryEntry,
};
