'use strict';
// The tokens of a pattern of URLPattern: { type, index, value }. Names of types are the standard's.

const kNameStart = /^[$_\p{ID_Start}]$/u;
const kNamePart = /^[$_\u200c\u200d\p{ID_Continue}]$/u;

const kSingle = {
  '__proto__': null,
  '*': 'asterisk',
  '+': 'other-modifier',
  '?': 'other-modifier',
  '{': 'open',
  '}': 'close',
};

function isNameStart(character) {
  return kNameStart.test(character);
}

function isNamePart(character) {
  return kNamePart.test(character);
}

function characterAt(input, index) {
  return String.fromCodePoint(input.codePointAt(index));
}

// Where the name that begins at `start` ends.
function nameEnd(input, start) {
  let end = start;
  while (end < input.length) {
    const character = characterAt(input, end);
    if (!(end === start ? isNameStart(character) : isNamePart(character))) break;
    end += character.length;
  }
  return end;
}

// Where the regular expression that begins at `start`, after its '(', ends: after its ')'. Undefined if it is not
// valid. It must be ASCII, and its groups must not capture.
function regExpEnd(input, start) {
  let depth = 1;
  for (let i = start; i < input.length; i++) {
    const character = input[i];
    if (character > '\x7f' || (i === start && character === '?')) return undefined;
    if (character === '\\') {
      i++;
      if (i === input.length || input[i] > '\x7f') return undefined;
    } else if (character === ')') {
      if (--depth === 0) return i === start ? undefined : i + 1;
    } else if (character === '(') {
      depth++;
      if (input[i + 1] !== '?') return undefined;
    }
  }
  return undefined;
}

// What is not valid is refused, or a token 'invalid-char' if `lenient`.
function tokenize(input, lenient = false) {
  const tokens = [];
  let index = 0;
  const add = (type, end, from = index, to = end) => {
    tokens.push({ type, index, value: input.slice(from, to) });
    index = end;
  };
  const refuse = (end, from) => {
    if (!lenient) throw new TypeError(`Invalid pattern: ${input}`);
    add('invalid-char', end, from, end);
  };
  while (index < input.length) {
    const character = characterAt(input, index);
    const next = index + character.length;
    if (kSingle[character] !== undefined) {
      add(kSingle[character], next);
    } else if (character === '\\') {
      if (next === input.length) refuse(next, index);
      else add('escaped-char', next + characterAt(input, next).length, next);
    } else if (character === ':') {
      const end = nameEnd(input, next);
      if (end === next) refuse(next, index);
      else add('name', end, next);
    } else if (character === '(') {
      const end = regExpEnd(input, next);
      if (end === undefined) refuse(next, index);
      else add('regexp', end, next, end - 1);
    } else {
      add('char', next);
    }
  }
  add('end', index);
  return tokens;
}

module.exports = { isNamePart, tokenize };
