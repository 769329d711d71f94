'use strict';
// Takes a pattern of a whole URL apart: "https://*.example.com/:page" -> { protocol: 'https', ... }

const { tokenize } = require('internal/url/pattern/tokenizer');
const { compileProtocol, matchesSpecialScheme } = require('internal/url/pattern/components');

const kOrder = ['protocol', 'authority', 'username', 'password', 'hostname', 'port', 'pathname', 'search', 'hash'];

function isBetween(state, first, last) {
  const at = kOrder.indexOf(state);
  return at >= kOrder.indexOf(first) && at <= kOrder.indexOf(last);
}

class ConstructorStringParser {
  #input;
  #tokens;
  #state = 'init';
  #index = 0;
  #step = 1; // by how much the index advances
  #componentStart = 0;
  #groupDepth = 0;
  #ipv6Depth = 0;
  #isSpecial = false;
  result = { __proto__: null };

  constructor(input) {
    this.#input = input;
    this.#tokens = tokenize(input, true);
  }

  parse() {
    for (; this.#index < this.#tokens.length; this.#index += this.#step) {
      this.#step = 1;
      const { type } = this.#tokens[this.#index];
      if (type === 'end') {
        if (this.#isAtEnd()) break;
      } else if (type === 'open') {
        this.#groupDepth++;
      } else if (this.#groupDepth > 0) {
        if (type === 'close') this.#groupDepth--;
      } else {
        this.#visit();
      }
    }
    if (this.result.hostname !== undefined) this.result.port ??= '';
    return this.result;
  }

  // False if it was not clear up to here what the input is, and it has to be read again.
  #isAtEnd() {
    if (this.#state === 'init') {
      this.#rewind();
      if (this.#isCharacter('#')) this.#change('hash', 1);
      else if (this.#isSearchPrefix()) this.#change('search', 1);
      else this.#change('pathname', 0);
      return false;
    }
    if (this.#state === 'authority') {
      this.#rewindTo('hostname');
      return false;
    }
    this.#change('done', 0);
    return true;
  }

  #visit() {
    switch (this.#state) {
      case 'init':
        if (this.#isCharacter(':')) this.#rewindTo('protocol');
        break;
      case 'protocol':
        if (this.#isCharacter(':')) this.#endProtocol();
        break;
      case 'authority':
        if (this.#isCharacter('@')) this.#rewindTo('username');
        else if (this.#isEndOfAuthority()) this.#rewindTo('hostname');
        break;
      case 'username':
        if (this.#isCharacter(':')) this.#change('password', 1);
        else if (this.#isCharacter('@')) this.#change('hostname', 1);
        break;
      case 'password':
        if (this.#isCharacter('@')) this.#change('hostname', 1);
        break;
      case 'hostname':
        if (this.#isCharacter('[')) this.#ipv6Depth++;
        else if (this.#isCharacter(']')) this.#ipv6Depth--;
        else if (this.#isCharacter(':') && this.#ipv6Depth === 0) this.#change('port', 1);
        else this.#visitPath();
        break;
      case 'port':
        this.#visitPath();
        break;
      case 'pathname':
        if (this.#isSearchPrefix()) this.#change('search', 1);
        else if (this.#isCharacter('#')) this.#change('hash', 1);
        break;
      case 'search':
        if (this.#isCharacter('#')) this.#change('hash', 1);
        break;
    }
  }

  #visitPath() {
    if (this.#isCharacter('/')) this.#change('pathname', 0);
    else if (this.#isSearchPrefix()) this.#change('search', 1);
    else if (this.#isCharacter('#')) this.#change('hash', 1);
  }

  #endProtocol() {
    this.#isSpecial = matchesSpecialScheme(compileProtocol(this.#componentText()));
    if (this.#isCharacter('/', 1) && this.#isCharacter('/', 2)) this.#change('authority', 3);
    else this.#change(this.#isSpecial ? 'authority' : 'pathname', 1);
  }

  #isEndOfAuthority() {
    return this.#isCharacter('/') || this.#isSearchPrefix() || this.#isCharacter('#');
  }

  #rewind() {
    this.#index = this.#componentStart;
    this.#step = 0;
  }

  #rewindTo(state) {
    this.#rewind();
    this.#state = state;
  }

  #change(state, skip) {
    if (this.#state !== 'init' && this.#state !== 'authority') this.result[this.#state] = this.#componentText();
    if (this.#state !== 'init' && state !== 'done') this.#fillGap(state);
    this.#state = state;
    this.#index += skip;
    this.#componentStart = this.#index;
    this.#step = 0;
  }

  // Components that were passed over are empty, and do not match everything.
  #fillGap(state) {
    const from = this.#state;
    if (isBetween(from, 'protocol', 'password') && isBetween(state, 'port', 'hash')) this.result.hostname ??= '';
    if (isBetween(from, 'protocol', 'port') && isBetween(state, 'search', 'hash')) {
      this.result.pathname ??= this.#isSpecial ? '/' : '';
    }
    if (isBetween(from, 'protocol', 'pathname') && state === 'hash') this.result.search ??= '';
  }

  #token(index) {
    return this.#tokens[index] ?? this.#tokens.at(-1);
  }

  // Whether the character is literal there.
  #isCharacter(character, offset = 0) {
    const { type, value } = this.#token(this.#index + offset);
    return value === character && (type === 'char' || type === 'escaped-char' || type === 'invalid-char');
  }

  // '?' may be a modifier of what precedes it.
  #isSearchPrefix() {
    if (this.#isCharacter('?')) return true;
    if (this.#tokens[this.#index].value !== '?') return false;
    if (this.#index === 0) return true;
    return !['name', 'regexp', 'close', 'asterisk'].includes(this.#token(this.#index - 1).type);
  }

  #componentText() {
    return this.#input.slice(this.#token(this.#componentStart).index, this.#tokens[this.#index].index);
  }
}

function parseConstructorString(input) {
  return new ConstructorStringParser(input).parse();
}

module.exports = { parseConstructorString };
