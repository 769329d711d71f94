'use strict';
// Searching the history: ctrl-r for older lines, ctrl-s for newer ones, the same key again for the
// next match, letters and backspace to change what is looked for. Escape, ctrl-c and ctrl-g bring
// the line back that was there before; every other key takes the line that was found.

const { clearScreenDown, cursorTo, moveCursor } = require('internal/readline/cursor');
const { charLengthAt } = require('internal/readline/keys');

const kUnderline = '\x1b[4m';
const kNoUnderline = '\x1b[24m';
const kOlder = { step: 1, label: 'bck-i-search' };
const kNewer = { step: -1, label: 'fwd-i-search' };

// server -> its search, while there is one
const searches = new WeakMap();

class Search {
  constructor(server, direction) {
    this.server = server;
    this.direction = direction;
    this.text = '';
    this.index = -1; // of the entry that is shown, and where in it the text is
    this.position = 0;
    this.found = true;
    this.before = { line: server.line, cursor: server.cursor };
  }

  // Searches on from the match that is shown, or at it as well.
  find(here) {
    const { history } = this.server;
    const { step } = this.direction;
    this.found = this.text === '';
    if (this.found) return;
    let index = this.index;
    let from = here ? this.position : this.position - step;
    if (index < 0 || index >= history.length) {
      index += step;
      from = step === 1 ? Infinity : 0;
    }
    for (; index >= 0 && index < history.length; index += step) {
      const line = history[index];
      const position = from < 0 ? -1 :
        step === 1 ? line.lastIndexOf(this.text, from) : line.indexOf(this.text, from);
      if (position !== -1) {
        this.index = index;
        this.position = position;
        this.found = true;
        return;
      }
      from = step === 1 ? Infinity : 0;
    }
    this.index = index;
  }

  get line() {
    return this.found && this.text !== '' ? this.server.history[this.index] : this.before.line;
  }

  get cursor() {
    return this.found && this.text !== '' ? this.position : this.before.cursor;
  }

  draw() {
    const { server, line, cursor, text } = this;
    const prompt = server.getPrompt();
    const label = `${this.found ? '' : 'failed-'}${this.direction.label}: ${text}_`;
    const highlighted = this.found && text !== '' ?
      line.slice(0, cursor) + kUnderline + text + kNoUnderline + line.slice(cursor + text.length) :
      line;
    this.clear();
    server._writeToOutput(`${prompt}${highlighted}\r\n${label}`);
    const end = server._getDisplayPos(`${prompt}${line}\n${label}`);
    const at = server._getDisplayPos(prompt + line.slice(0, cursor));
    moveCursor(server.output, 0, at.rows - end.rows);
    cursorTo(server.output, at.cols);
    server.prevRows = at.rows;
  }

  clear() {
    const { server } = this;
    moveCursor(server.output, 0, -(server.prevRows || 0));
    cursorTo(server.output, 0);
    clearScreenDown(server.output);
    server.prevRows = 0;
  }

  end(taken) {
    const { server } = this;
    const { line, cursor } = taken ? this : this.before;
    searches.delete(server);
    this.clear();
    server.line = line;
    server.cursor = cursor;
    server._refreshLine();
  }
}

function isText(s, key) {
  return typeof s === 'string' && s.length > 0 && !key.ctrl && !key.meta &&
    charLengthAt(s, 0) === s.length && s >= ' ' && s !== '\x7f';
}

// True if the key was for the search.
function searchKey(server, s, key) {
  let search = searches.get(server);
  const direction = key.ctrl && !key.meta && !key.shift ?
    { r: kOlder, s: kNewer }[key.name] :
    undefined;
  if (search === undefined) {
    if (direction === undefined || !server.terminal || process.env.TERM === 'dumb') return false;
    search = new Search(server, direction);
    searches.set(server, search);
  } else if (direction !== undefined) {
    search.direction = direction;
    search.find(false);
  } else if (isText(s, key)) {
    search.text += s;
    search.find(true);
  } else if (key.name === 'backspace' && !key.ctrl && !key.meta) {
    search.text = [...search.text].slice(0, -1).join('');
    search.find(true);
  } else {
    const cancelled = key.name === 'escape' || (key.ctrl && (key.name === 'c' || key.name === 'g'));
    search.end(!cancelled);
    return cancelled;
  }
  search.draw();
  return true;
}

module.exports = { searchKey };
