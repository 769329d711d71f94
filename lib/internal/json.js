'use strict';
// JSON.parse with the messages of Node 20: V8 10.2 says less of what is wrong with a text. When it
// finds something wrong, the text is read once more here, by the same rules, to tell what.

const { overrideStackTrace, prepareStackTraceCallback } = require('internal/errors');

const { parse: nativeParse } = JSON;
const { apply } = Reflect;

const kMostContext = 10; // characters shown on both sides of a place
const kShortText = 2 * kMostContext;
const kWhitespace = /[ \t\n\r]/;
const kSpecialTexts = new Set(['NaN', 'Infinity', 'undefined', '[object Object]']);

function isDigit(character) {
  return character >= '0' && character <= '9';
}

// What is wrong: a message, and where.
class Mistake {
  constructor(message, position) {
    this.message = message;
    this.position = position;
  }
}

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  skipWhitespace() {
    while (this.at < this.text.length && kWhitespace.test(this.text[this.at])) ++this.at;
    return this.text[this.at];
  }

  fail(what, at = this.at) {
    throw new Mistake(`${what} in JSON at position ${at}`, at);
  }

  // A character that nothing can begin with here.
  failUnexpected() {
    const { at, text } = this;
    const character = text[at];
    if (character === undefined) throw new Mistake('Unexpected end of JSON input', at);
    if (isDigit(character) || character === '-') this.fail('Unexpected number');
    if (character === '"') this.fail('Unexpected string');
    if (kSpecialTexts.has(text)) throw new Mistake(`"${text}" is not valid JSON`, at);
    let from = 0;
    let to = text.length;
    if (text.length > kShortText) {
      if (at >= kMostContext) from = at - kMostContext;
      if (at < kMostContext || at < text.length - kMostContext) to = at + kMostContext;
    }
    throw new Mistake(`Unexpected token '${character}', ${from > 0 ? '...' : ''}` +
      `"${text.slice(from, to)}"${to < text.length ? '...' : ''} is not valid JSON`, at);
  }

  readLiteral(literal) {
    for (const character of literal) {
      if (this.text[this.at] !== character) this.failUnexpected();
      ++this.at;
    }
  }

  readDigits(what) {
    if (!isDigit(this.text[this.at])) this.fail(what);
    while (isDigit(this.text[this.at])) ++this.at;
  }

  readNumber() {
    const { text } = this;
    if (text[this.at] === '-') ++this.at;
    if (text[this.at] === '0') {
      ++this.at;
      if (isDigit(text[this.at])) this.fail('Unexpected number');
    } else {
      this.readDigits('No number after minus sign');
    }
    if (text[this.at] === '.') {
      ++this.at;
      this.readDigits('Unterminated fractional number');
    }
    if (text[this.at] === 'e' || text[this.at] === 'E') {
      ++this.at;
      if (text[this.at] === '+' || text[this.at] === '-') ++this.at;
      this.readDigits('Exponent part is missing a number');
    }
  }

  readEscape() {
    ++this.at;
    const character = this.text[this.at];
    if (character === undefined) this.failUnexpected();
    if (!'"\\/bfnrtu'.includes(character)) this.fail('Bad escaped character');
    ++this.at;
    if (character !== 'u') return;
    for (let i = 0; i < 4; ++i) {
      if (!/^[0-9a-fA-F]$/.test(this.text[this.at])) this.fail('Bad Unicode escape');
      ++this.at;
    }
  }

  readString() {
    ++this.at;
    for (;;) {
      const character = this.text[this.at];
      if (character === undefined) this.fail('Unterminated string');
      if (character < ' ') this.fail('Bad control character in string literal');
      if (character === '\\') {
        this.readEscape();
        continue;
      }
      ++this.at;
      if (character === '"') return;
    }
  }

  readKey(isFirst) {
    this.readString();
    if (this.skipWhitespace() !== ':') {
      // Only of the first one V8 says what it expected.
      if (isFirst) this.fail("Expected ':' after property name");
      this.failUnexpected();
    }
    ++this.at;
  }

  // Reads the beginning of a value; whether it is an object or an array that goes on.
  opens(open) {
    const character = this.skipWhitespace();
    switch (character) {
      case '"': this.readString(); return false;
      case 't': this.readLiteral('true'); return false;
      case 'f': this.readLiteral('false'); return false;
      case 'n': this.readLiteral('null'); return false;
      case '{':
        ++this.at;
        if (this.skipWhitespace() === '}') {
          ++this.at;
          return false;
        }
        if (this.text[this.at] !== '"') this.fail("Expected property name or '}'");
        this.readKey(true);
        open.push('}');
        return true;
      case '[':
        ++this.at;
        if (this.skipWhitespace() === ']') {
          ++this.at;
          return false;
        }
        open.push(']');
        return true;
      default:
        if (character !== '-' && !isDigit(character)) this.failUnexpected();
        this.readNumber();
        return false;
    }
  }

  // What follows a value in an object or array; whether that is another value.
  continues(open) {
    const close = open[open.length - 1];
    const character = this.skipWhitespace();
    if (character === close) {
      ++this.at;
      open.pop();
      return false;
    }
    if (character !== ',') {
      this.fail(close === '}' ? "Expected ',' or '}' after property value" :
        "Expected ',' or ']' after array element");
    }
    ++this.at;
    if (close === '}') {
      if (this.skipWhitespace() !== '"') this.fail('Expected double-quoted property name');
      this.readKey(false);
    }
    return true;
  }

  read() {
    const open = [];
    do {
      while (this.opens(open));
      while (open.length > 0 && !this.continues(open));
    } while (open.length > 0);
    if (this.skipWhitespace() !== undefined) {
      throw new Mistake(
        `Unexpected non-whitespace character after JSON at position ${this.at}`, this.at);
    }
  }
}

function findMistake(text) {
  try {
    new Reader(text).read();
  } catch (mistake) {
    if (mistake instanceof Mistake) return mistake;
  }
  return undefined;
}

// As if the text were a script: line, its text, a caret. Shown if nobody catches the error; who
// throws it again is the place that is shown then.
function describePlace(text, position) {
  const before = text.slice(0, position).split('\n');
  const column = before[before.length - 1].length;
  const line = text.split('\n')[before.length - 1];
  const caret = position < text.length ? `${' '.repeat(column)}^\n` : '';
  return `<anonymous_script>:${before.length}\n${line}\n${caret}`;
}

function explain(error, text) {
  const mistake = findMistake(text);
  if (mistake === undefined) return; // a reviver threw
  error.message = mistake.message;
  binding('modules').setJsonLine(error, describePlace(text, mistake.position));
  // parse() below is not to be seen.
  overrideStackTrace.set(error, (thrown, trace) => {
    if (trace.length > 1) trace.splice(1, 1);
    return prepareStackTraceCallback(globalThis, thrown, trace);
  });
}

const { parse } = {
  parse(text, reviver) {
    if (typeof text !== 'string') text = `${text}`;
    try {
      return apply(nativeParse, JSON, [text, reviver]);
    } catch (error) {
      if (error instanceof SyntaxError) explain(error, text);
      throw error;
    }
  },
};

Object.defineProperty(JSON, 'parse', {
  __proto__: null, value: parse, writable: true, configurable: true, enumerable: false,
});
