'use strict';
// A pattern of URLPattern as a list of parts, and what is made of the list: a regular expression, and the pattern in its
// normal form.
//
// A part is { type, value, modifier, name, prefix, suffix }. Its type is 'fixed-text', 'regexp', 'segment-wildcard' or
// 'full-wildcard'; its modifier '', '?', '*' or '+'.

const { isNamePart, tokenize } = require('internal/url/pattern/tokenizer');

const kFullWildcard = '.*';

function escapeRegExp(text) {
  return text.replace(/[.+*?^${}()[\]|/\\]/g, '\\$&');
}

function escapePattern(text) {
  return text.replace(/[+*?:{}()\\]/g, '\\$&');
}

// What ":name" matches: all up to the delimiter.
function segmentWildcard({ delimiter }) {
  return `[^${escapeRegExp(delimiter)}]+?`;
}

class PartsParser {
  #tokens;
  #options;
  #encode;
  #index = 0;
  #pending = ''; // fixed text that is not a part yet
  #nextNumber = 0;
  #names = new Set();
  #segmentWildcard;
  parts = [];

  // `encode` converts fixed text to its form in a URL.
  constructor(input, options, encode) {
    this.#tokens = tokenize(input);
    this.#options = options;
    this.#encode = encode;
    this.#segmentWildcard = segmentWildcard(options);
  }

  #take(type) {
    const token = this.#tokens[this.#index];
    if (token.type !== type) return undefined;
    this.#index++;
    return token;
  }

  #demand(type) {
    if (this.#take(type) === undefined) throw new TypeError('Invalid pattern');
  }

  #takeMatcher(name) {
    const token = this.#take('regexp');
    return name === undefined && token === undefined ? this.#take('asterisk') : token;
  }

  #takeModifier() {
    return (this.#take('other-modifier') ?? this.#take('asterisk'))?.value ?? '';
  }

  #takeText() {
    let text = '';
    let token;
    while ((token = this.#take('char') ?? this.#take('escaped-char')) !== undefined) text += token.value;
    return text;
  }

  parse() {
    while (this.#index < this.#tokens.length) this.#parseOne();
    return this.parts;
  }

  #parseOne() {
    const character = this.#take('char');
    const name = this.#take('name');
    const matcher = this.#takeMatcher(name);
    if (name !== undefined || matcher !== undefined) {
      let prefix = character?.value ?? '';
      if (prefix !== '' && prefix !== this.#options.prefix) {
        this.#pending += prefix;
        prefix = '';
      }
      this.#addPending();
      this.#add(prefix, name, matcher, '', this.#takeModifier());
      return;
    }
    const fixed = character ?? this.#take('escaped-char');
    if (fixed !== undefined) {
      this.#pending += fixed.value;
    } else if (this.#take('open') !== undefined) {
      this.#parseGroup();
    } else {
      this.#addPending();
      this.#demand('end');
    }
  }

  #parseGroup() {
    const prefix = this.#takeText();
    const name = this.#take('name');
    const matcher = this.#takeMatcher(name);
    const suffix = this.#takeText();
    this.#demand('close');
    this.#add(prefix, name, matcher, suffix, this.#takeModifier());
  }

  #addPending() {
    if (this.#pending === '') return;
    const value = this.#encode(this.#pending);
    this.#pending = '';
    this.parts.push({ type: 'fixed-text', value, modifier: '', name: '', prefix: '', suffix: '' });
  }

  #add(prefix, name, matcher, suffix, modifier) {
    const isText = name === undefined && matcher === undefined;
    if (isText && modifier === '') {
      this.#pending += prefix;
      return;
    }
    this.#addPending();
    if (isText) {
      if (prefix === '') return;
      const value = this.#encode(prefix);
      this.parts.push({ type: 'fixed-text', value, modifier, name: '', prefix: '', suffix: '' });
      return;
    }
    const [type, value] = this.#typeOf(matcher);
    const key = name === undefined ? this.#nextNumber++ : name.value;
    if (this.#names.has(`${key}`)) throw new TypeError(`Duplicate name: ${key}`);
    this.#names.add(`${key}`);
    this.parts.push({
      type, value, modifier, name: `${key}`, prefix: this.#encode(prefix), suffix: this.#encode(suffix),
    });
  }

  #typeOf(matcher) {
    if (matcher === undefined || matcher.value === this.#segmentWildcard) return ['segment-wildcard', ''];
    if (matcher.type === 'asterisk' || matcher.value === kFullWildcard) return ['full-wildcard', ''];
    return ['regexp', matcher.value];
  }
}

function parseParts(input, options, encode) {
  return new PartsParser(input, options, encode).parse();
}

// ---- The regular expression ----

function expressionOf({ type, value }, options) {
  if (type === 'segment-wildcard') return segmentWildcard(options);
  return type === 'full-wildcard' ? kFullWildcard : value;
}

function regExpOf(part, options) {
  const { modifier } = part;
  if (part.type === 'fixed-text') {
    const text = escapeRegExp(part.value);
    return modifier === '' ? text : `(?:${text})${modifier}`;
  }
  const expression = expressionOf(part, options);
  const repeats = modifier === '*' || modifier === '+';
  const prefix = escapeRegExp(part.prefix);
  const suffix = escapeRegExp(part.suffix);
  if (prefix === '' && suffix === '') {
    return repeats ? `((?:${expression})${modifier})` : `(${expression})${modifier}`;
  }
  if (!repeats) return `(?:${prefix}(${expression})${suffix})${modifier}`;
  const optional = modifier === '*' ? '?' : '';
  return `(?:${prefix}((?:${expression})(?:${suffix}${prefix}(?:${expression}))*)${suffix})${optional}`;
}

// { source, names }: the names of its groups, in order
function toRegExp(parts, options) {
  const source = `^${parts.map((part) => regExpOf(part, options)).join('')}$`;
  const names = parts.filter(({ type }) => type !== 'fixed-text').map(({ name }) => name);
  return { source, names };
}

// ---- The normal form ----

function firstOf(text) {
  return text === '' ? '' : String.fromCodePoint(text.codePointAt(0));
}

function isNumber(name) {
  return name[0] >= '0' && name[0] <= '9';
}

function isNameFollowed(next) {
  if (next === undefined || next.prefix !== '' || next.suffix !== '') return false;
  return next.type === 'fixed-text' ? isNamePart(firstOf(next.value)) : isNumber(next.name);
}

// Whether a part has to stand in braces to mean what it means.
function needsBraces(part, previous, next, options) {
  if (part.suffix !== '' || (part.prefix !== '' && part.prefix !== options.prefix)) return true;
  if (!isNumber(part.name) && part.type === 'segment-wildcard' && part.modifier === '' && isNameFollowed(next)) {
    return true;
  }
  return part.prefix === '' && previous?.type === 'fixed-text' && options.prefix !== '' &&
    previous.value.endsWith(options.prefix);
}

function matcherText(part, previous, braces, options) {
  const isNamed = !isNumber(part.name);
  const name = isNamed ? `:${part.name}` : '';
  switch (part.type) {
    case 'regexp': return `${name}(${part.value})`;
    case 'segment-wildcard': return isNamed ? name : `(${segmentWildcard(options)})`;
    default: {
      const isPlain = !isNamed && (previous === undefined || previous.type === 'fixed-text' ||
        previous.modifier !== '' || braces || part.prefix !== '');
      return isPlain ? '*' : `${name}(${kFullWildcard})`;
    }
  }
}

function textOf(part, previous, next, options) {
  if (part.type === 'fixed-text') {
    const text = escapePattern(part.value);
    return part.modifier === '' ? text : `{${text}}${part.modifier}`;
  }
  const braces = needsBraces(part, previous, next, options);
  let text = escapePattern(part.prefix) + matcherText(part, previous, braces, options);
  const isNamed = !isNumber(part.name);
  // The suffix must not be taken for more of the name.
  if (part.type === 'segment-wildcard' && isNamed && part.suffix !== '' && isNamePart(firstOf(part.suffix))) {
    text += '\\';
  }
  text += escapePattern(part.suffix);
  return (braces ? `{${text}}` : text) + part.modifier;
}

function toPattern(parts, options) {
  return parts.map((part, i) => textOf(part, parts[i - 1], parts[i + 1], options)).join('');
}

module.exports = { escapePattern, parseParts, toPattern, toRegExp };
