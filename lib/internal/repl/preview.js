'use strict';
// While the user types: below the line the value that it would have, after the cursor what completion would add.

const { commonPrefix } = require('internal/readline/editing');
const { clearLine, clearScreenDown, cursorTo, moveCursor } = require('internal/readline/cursor');
const { evaluatorOf } = require('internal/repl/preview_value');
const { isValidSyntax } = require('internal/repl/syntax');
const { getStringWidth } = require('internal/util/inspect');

const kMostColumns = 250;

function gray(text) {
  return `\x1b[90m${text}\x1b[39m`;
}

class Preview {
  #server;
  #isBuffered; // whether the line continues a command
  #isStrict;
  #evaluator;
  #value = null; // shown below the line
  #completion = null; // shown after the cursor
  #asked = 0; // completions, the answers of which may come late
  #hasCompletions = false;
  #escaped = null; // a line whose completion was refused with the escape key
  #insertsCompletion = true;

  constructor(server, isBuffered, isStrict) {
    this.#server = server;
    this.#isBuffered = isBuffered;
    this.#isStrict = isStrict;
    this.#evaluator = evaluatorOf(server);
    this.#watchLine();
  }

  #watchLine() {
    const server = this.#server;
    const refresh = server._refreshLine;
    server._refreshLine = () => {
      this.#value = null;
      Reflect.apply(refresh, server, []);
      this.show();
    };
    // To the right of the end there is what completion would add.
    const move = server._moveCursor;
    server._moveCursor = (dx) => {
      const before = server.cursor;
      Reflect.apply(move, server, [dx]);
      if (before + dx > server.line.length && typeof server.completer === 'function' && this.#insertsCompletion) {
        this.#complete(true);
      }
    };
    const clear = server.clearLine;
    server.clearLine = () => {
      this.#insertsCompletion = false;
      Reflect.apply(clear, server, []);
      this.#insertsCompletion = true;
    };
  }

  #positions() {
    const server = this.#server;
    const end = server._getDisplayPos(`${server.getPrompt()}${server.line}`);
    return { end, cursor: server.line.length === server.cursor ? end : server.getCursorPos() };
  }

  #isAtEnd() {
    const { cursor, end } = this.#positions();
    return cursor.rows === end.rows && cursor.cols === end.cols;
  }

  // Takes both away, before a key has its effect.
  clear(key) {
    if (this.#value !== null) this.#clearValue();
    if (this.#completion !== null) this.#clearCompletion(key);
    if (this.#escaped !== this.#server.line) this.#escaped = null;
  }

  #clearValue() {
    const { output } = this.#server;
    const { cursor, end } = this.#positions();
    const rows = end.rows - cursor.rows + 1;
    moveCursor(output, 0, rows);
    clearLine(output);
    moveCursor(output, 0, -rows);
    this.#value = null;
  }

  #clearCompletion(key) {
    const server = this.#server;
    const { output } = server;
    const isInside = server.line.length !== server.cursor;
    let place;
    let rows = 0;
    if (isInside) {
      place = this.#positions();
      cursorTo(output, place.end.cols);
      rows = place.end.rows - place.cursor.rows;
      moveCursor(output, 0, rows);
    }
    const whole = server._getDisplayPos(`${server.getPrompt()}${server.line}${this.#completion}`);
    if (whole.rows === 0 || (place !== undefined && place.end.rows === whole.rows)) clearLine(output, 1);
    else clearScreenDown(output);
    if (isInside) {
      cursorTo(output, place.cursor.cols);
      moveCursor(output, 0, -rows);
    }
    if (!key.ctrl && !key.shift) this.#takeKey(key);
    this.#completion = null;
  }

  // Escape refuses the completion, return takes it.
  #takeKey(key) {
    const server = this.#server;
    if (key.name === 'escape') {
      if (this.#escaped === null && key.meta) this.#escaped = server.line;
    } else if ((key.name === 'return' || key.name === 'enter') && !key.meta && this.#escaped !== server.line &&
               this.#isAtEnd()) {
      server._insertString(this.#completion);
    }
  }

  #complete(isInserted) {
    const server = this.#server;
    const number = ++this.#asked;
    server.completer(server.line, (error, data) => {
      if (number !== this.#asked || error) return;
      const { 0: found, 1: completed } = data;
      if (!found || found.length === 0) return;
      this.#hasCompletions = true;
      const prefix = commonPrefix(found.filter(Boolean));
      if (prefix.length <= completed.length) return;
      const rest = prefix.slice(completed.length);
      if (isInserted) server._insertString(rest);
      else this.#showCompletion(rest);
    });
  }

  #showCompletion(rest) {
    const server = this.#server;
    const { output } = server;
    this.#completion = rest;
    const { cursor, end } = this.#positions();
    if (server.line.length !== server.cursor) {
      cursorTo(output, end.cols);
      moveCursor(output, 0, end.rows - cursor.rows);
    }
    output.write(server.useColors ? gray(rest) : ` // ${rest}`);
    cursorTo(output, cursor.cols);
    const whole = server._getDisplayPos(`${server.getPrompt()}${server.line}${rest}`);
    moveCursor(output, 0, -(whole.rows - cursor.rows - (whole.cols === 0 ? 1 : 0)));
  }

  show(withCompletion = true) {
    const server = this.#server;
    const line = server.line.trim();
    if (this.#value !== null || /[\r\n]/.test(server.line) || !server.isCompletionEnabled || line === '') return;
    this.#hasCompletions = false;
    if (withCompletion) this.#complete(false);
    if (this.#isBuffered()) return;
    const isCompleted = this.#completion !== null && this.#isAtEnd() && this.#escaped !== server.line;
    const code = isCompleted ? line + this.#completion : line;
    // What begins with a brace is an object if it can be one, else a block.
    const isObject = code[0] === '{' && code[code.length - 1] !== ';' && isValidSyntax(code);
    let text = isObject ? this.#describe(`(${code})`) : null;
    text ??= this.#describe(code);
    if (text === null || text === line) return;
    if (text === 'undefined' && (!server.useColors || server.ignoreUndefined)) return;
    this.#showValue(text);
  }

  #describe(code) {
    return this.#evaluator.describe(code, (name) => {
      return name !== 'EvalError' && name !== 'SyntaxError' &&
        (name !== 'ReferenceError' || (!this.#hasCompletions && this.#isStrict()));
    });
  }

  #showValue(text) {
    const server = this.#server;
    const { output } = server;
    this.#value = text;
    let columns = Math.min(server.columns, kMostColumns);
    if (text.length * 2 >= columns && getStringWidth(text) > columns) {
      columns -= 4 + (server.useColors ? 0 : 3);
      let shown = '';
      for (const character of text) {
        columns -= getStringWidth(character);
        if (columns < 0) break;
        shown += character;
      }
      text = `${shown}...`;
    }
    const first = text.split(/[\r\n\v]/, 1)[0];
    const { cursor, end } = this.#positions();
    const rows = end.rows - cursor.rows;
    moveCursor(output, 0, rows);
    output.write(`\n${server.useColors ? gray(first) : `// ${first}`}`);
    cursorTo(output, cursor.cols);
    moveCursor(output, 0, -rows - 1);
  }
}

module.exports = { Preview };
