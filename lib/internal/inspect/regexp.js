'use strict';
// A regular expression in colours: nesting goes through a palette, and what a token is shifts its colour.
// Tolerant of everything: what it does not understand is text.

const kDefaultPalette = ['green', 'red', 'yellow', 'cyan', 'magenta'];
const kDigits = /\d*/y;

// The tokens of a pattern are written at `depth`, plus a shift for their kind.
class Highlighter {
  constructor(source, palette) {
    this.source = source;
    this.palette = palette;
    this.at = 0;
    this.depth = 0;
    this.output = '';
  }

  write(text, shift = 0) {
    const { 0: open, 1: close } = this.palette[(this.depth + shift) % this.palette.length] ?? this.palette[0];
    this.output += open + text + close;
  }

  digits() {
    kDigits.lastIndex = this.at;
    const { 0: found } = kDigits.exec(this.source);
    this.at += found.length;
    return found;
  }

  // `opening`, a name, `closing`; at is before the bracket that ends `opening`.
  named(opening, closing, shift) {
    const start = this.at + 1;
    const end = this.source.indexOf(closing, start);
    if (end === -1) {
      // Not closed: the bracket is text, and so is what follows.
      this.write(opening, 1);
      this.at = start;
      return;
    }
    this.write(opening, shift);
    this.write(this.source.slice(start, end), shift + 1);
    this.write(closing, shift);
    this.at = end + 1;
  }

  escape(isInClass) {
    const { source } = this;
    let text = source.slice(this.at, this.at + 2);
    this.at += text.length;
    const letter = text[1];
    const next = source[this.at];
    if (next === '{' && (letter === 'u' || letter === 'p' || letter === 'P')) {
      this.named(`${text}{`, '}', 0);
      return;
    }
    if (letter === 'x') {
      text += source.slice(this.at, this.at + 2);
      this.at += 2;
    } else if (!isInClass && letter >= '0' && letter <= '9') {
      text += this.digits();
    } else if (!isInClass && letter === 'k' && next === '<') {
      this.named(`${text}<`, '>', -1);
      return;
    }
    this.write(text, isInClass ? 0 : 1);
  }

  // Returns at the bracket's end.
  characterClass() {
    const { source } = this;
    this.write('[');
    this.depth++;
    this.at++;
    while (this.at < source.length) {
      const char = source[this.at];
      if (char === '\\') {
        this.escape(true);
        continue;
      }
      this.at++;
      if (char === ']') {
        this.depth--;
        this.write(']');
        return;
      }
      const isRange = char === '-' && source[this.at - 2] !== '[' &&
        this.at < source.length && source[this.at] !== ']';
      this.write(char, isRange ? 1 : 0);
    }
  }

  group() {
    const { source } = this;
    this.write('(');
    this.depth++;
    this.at++;
    if (source[this.at] !== '?') return;
    const kind = /^\?(?::|=|!|<=|<!)/.exec(source.slice(this.at, this.at + 3));
    if (kind !== null) {
      this.write(kind[0], -1);
      this.at += kind[0].length;
      return;
    }
    this.at++;
    if (source[this.at] !== '<') {
      this.write('?');
      return;
    }
    const end = source.indexOf('>', this.at);
    const name = source.slice(this.at + 1, end === -1 ? undefined : end);
    this.write('?<', -1);
    this.write(name);
    if (end !== -1) this.write('>', -1);
    this.at = end === -1 ? source.length : end + 1;
  }

  quantifier() {
    const { source } = this;
    this.at++;
    const least = this.digits();
    const hasComma = source[this.at] === ',';
    if (least === '' && !hasComma && this.at < source.length) {
      this.write('{', 1);
      return;
    }
    if (least !== '' || hasComma) {
      this.write('{');
      this.depth++;
    }
    if (least !== '') this.write(least, 1);
    if (hasComma) {
      this.write(',');
      this.at++;
    }
    const most = this.digits();
    if (most !== '') this.write(most, 1);
    if (source[this.at] === '}') {
      this.depth--;
      this.write('}');
      this.at++;
    }
    if (source[this.at] === '?') {
      this.write('?', 3);
      this.at++;
    }
  }

  run() {
    const { source } = this;
    this.write('/');
    this.depth++;
    this.at = 1;
    while (this.at < source.length && source[this.at] !== '/') {
      const char = source[this.at];
      if (char === '[') {
        this.characterClass();
      } else if (char === '(') {
        this.group();
      } else if (char === '\\') {
        this.escape(false);
      } else if (char === '{') {
        this.quantifier();
      } else {
        this.at++;
        if (char === ')') this.depth--;
        if (char === ')') this.write(char);
        else if ('|+*?,^$'.includes(char)) this.write(char, 3);
        else this.write(char, char === '.' ? 2 : 1);
      }
    }
    this.write('/', -1);
    if (this.at + 1 < source.length) this.write(source.slice(this.at + 1));
    return this.output;
  }
}

// The style of regular expressions; users may change its `colors`.
function makeHighlight(inspect) {
  function highlightRegExp(source) {
    const names = highlightRegExp.colors?.length > 0 ? highlightRegExp.colors : kDefaultPalette;
    const palette = [];
    for (let i = 0; i < names.length; i++) {
      const color = inspect.colors[names[i]];
      if (color) palette.push([`\u001b[${color[0]}m`, `\u001b[${color[1]}m`]);
    }
    return new Highlighter(source, palette).run();
  }
  highlightRegExp.colors = kDefaultPalette.slice();
  return highlightRegExp;
}

module.exports = { makeHighlight };
