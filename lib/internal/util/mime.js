'use strict';
// util.MIMEType and util.MIMEParams, after https://mimesniff.spec.whatwg.org/#parsing-a-mime-type.

const { codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_MIME_SYNTAX } } = require('internal/errors');

const kNotToken = /[^!#$%&'*+\-.^_`|~A-Za-z0-9]/;
const kNotQuotable = /[^\t\u0020-~\u0080-\u00ff]/;
const kBlankBefore = /^[\r\n\t ]+/;
const kBlankBehind = /[\r\n\t ]+$/;
const kDoNotThrow = Symbol('kDoNotThrow');

function toAsciiLowerCase(text) {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

// Throws if the text is not a token; the error shows `whole`.
function checkToken(text, production, whole) {
  const at = text.search(kNotToken);
  if (text === '' || at !== -1) throw new ERR_INVALID_MIME_SYNTAX(production, whole, at);
}

// [type, subtype, text of the parameters]. An error gives the position within the part that is wrong.
function parse(text) {
  const begin = text.replace(kBlankBefore, '');
  const slash = begin.indexOf('/');
  const type = slash === -1 ? begin : begin.slice(0, slash);
  checkToken(type, 'type', text);
  if (slash === -1) throw new ERR_INVALID_MIME_SYNTAX('type', text, -1);
  const semicolon = begin.indexOf(';', slash + 1);
  const end = semicolon === -1 ? begin.length : semicolon;
  const subtype = begin.slice(slash + 1, end).replace(kBlankBehind, '');
  checkToken(subtype, 'subtype', text);
  return [toAsciiLowerCase(type), toAsciiLowerCase(subtype), begin.slice(end + 1)];
}

// Reads "..." from after the opening quote: the value, and where it ends. A backslash at the very end is literal.
function readQuoted(text, from) {
  let value = '';
  let at = from;
  while (at < text.length && text[at] !== '"') {
    if (text[at] === '\\' && at + 1 < text.length) at++;
    value += text[at++];
  }
  return { value, end: at + 1 };
}

function parseParameters(text, found) {
  const { length } = text.replace(kBlankBehind, '');
  let at = 0;
  while (at < length) {
    while (/[\r\n\t ]/.test(text[at])) at++;
    const nameEnd = at + text.slice(at).search(/[;=]|$/);
    const name = toAsciiLowerCase(text.slice(at, nameEnd));
    at = nameEnd + 1;
    if (text[nameEnd] === ';') continue;
    if (at >= length) return;
    let value;
    if (text[at] === '"') {
      const quoted = readQuoted(text, at + 1);
      value = quoted.value;
      // The text between the quote and the next semicolon is parsed as a parameter, as in Node.
      at = quoted.end + 1;
    } else {
      const semicolon = text.indexOf(';', at);
      const end = semicolon === -1 ? text.length : semicolon;
      value = text.slice(at, end).replace(kBlankBehind, '');
      if (value === '') {
        at = end;
        continue;
      }
      at = end + 1;
    }
    if (name !== '' && !kNotToken.test(name) && !kNotQuotable.test(value) && !found.has(name)) found.set(name, value);
  }
}

function encode(value) {
  if (value !== '' && !kNotToken.test(value)) return value;
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

let setSource;
let serializeParams;

class MIMEParams {
  #data = new Map();
  #source; // not parsed yet

  static {
    setSource = (params, source) => {
      params.#source = source;
      return params;
    };
    serializeParams = (params) =>
      Array.from(params.#parsed(), ([name, value]) => `${name}=${encode(value)}`).join(';');
  }

  #parsed() {
    if (this.#source !== undefined) {
      parseParameters(this.#source, this.#data);
      this.#source = undefined;
    }
    return this.#data;
  }

  delete(name) {
    this.#parsed().delete(toAsciiLowerCase(`${name}`));
  }

  get(name) {
    return this.#parsed().get(toAsciiLowerCase(`${name}`)) ?? null;
  }

  has(name) {
    return this.#parsed().has(toAsciiLowerCase(`${name}`));
  }

  set(name, value) {
    const data = this.#parsed();
    name = toAsciiLowerCase(`${name}`);
    value = `${value}`;
    checkToken(name, 'parameter name', name);
    const at = value.search(kNotQuotable);
    if (at !== -1) throw new ERR_INVALID_MIME_SYNTAX('parameter value', value, at);
    data.set(name, value);
  }

  *entries() {
    yield* this.#parsed().entries();
  }

  *keys() {
    yield* this.#parsed().keys();
  }

  *values() {
    yield* this.#parsed().values();
  }

  toString() {
    return serializeParams(this);
  }
}

class MIMEType {
  #type;
  #subtype;
  #params;

  constructor(string, secret = null) {
    string = `${string}`;
    if (secret != null && secret !== kDoNotThrow) throw new ERR_ILLEGAL_CONSTRUCTOR();
    let source;
    try {
      [this.#type, this.#subtype, source] = parse(string);
    } catch (error) {
      if (secret === kDoNotThrow) return;
      throw error;
    }
    this.#params = setSource(new MIMEParams(), source);
  }

  static parse(string) {
    const result = new MIMEType(string, kDoNotThrow);
    return result.#type === undefined ? null : result;
  }

  get type() {
    return this.#type;
  }

  set type(value) {
    value = `${value}`;
    checkToken(value, 'type', value);
    this.#type = toAsciiLowerCase(value);
  }

  get subtype() {
    return this.#subtype;
  }

  set subtype(value) {
    value = `${value}`;
    checkToken(value, 'subtype', value);
    this.#subtype = toAsciiLowerCase(value);
  }

  get essence() {
    return `${this.#type}/${this.#subtype}`;
  }

  get params() {
    return this.#params;
  }

  toString() {
    const params = serializeParams(this.#params);
    return params === '' ? this.essence : `${this.essence};${params}`;
  }
}

function alias(Class, name, method) {
  Object.defineProperty(Class.prototype, name, {
    __proto__: null, value: Class.prototype[method], writable: true, configurable: true,
  });
}

alias(MIMEParams, Symbol.iterator, 'entries');
alias(MIMEParams, 'toJSON', 'toString');
alias(MIMEType, 'toJSON', 'toString');

module.exports = { MIMEParams, MIMEType };
