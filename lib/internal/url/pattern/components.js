'use strict';
// Components of URLs as URLPattern handles them: how the parts of each are written in a URL, and a pattern for one.

const { domainToASCII, parse, protocolOf } = require('internal/url/context');
const { C0_CONTROL, percentEncode } = require('internal/url/percent');
const { parseParts, toPattern, toRegExp } = require('internal/url/pattern/parts');

const kDefaultPorts = { __proto__: null, http: '80', https: '443', ws: '80', wss: '443', ftp: '21', file: '' };
const kSpecialSchemes = Object.keys(kDefaultPorts);

const kDummy = 'https://dummy.invalid/';
const kPlainDummy = 'plain://dummy.invalid/';

// ---- As a URL would write them. What a URL cannot have is refused. ----

function withoutTabsAndNewlines(text) {
  return text.replace(/[\t\n\r]+/g, '');
}

// What the setter of a URL makes of a value, without the character that begins the component.
function bySetter(name, value, mark, dummy = kDummy) {
  if (value === '') return '';
  const { URL } = require('internal/url');
  const url = new URL(dummy);
  url[name] = mark + value;
  return url[name].slice(mark.length);
}

function protocol(value) {
  if (value === '') return '';
  const context = parse(`${value}://dummy.invalid/`);
  if (context === null) throw new TypeError('Invalid protocol');
  return protocolOf(context).slice(0, -1);
}

function hostname(value) {
  if (value === '') return '';
  const text = withoutTabsAndNewlines(value);
  const end = text.search(/[/?#\\]/);
  const host = end === -1 ? text : text.slice(0, end);
  if (/:(?![^[]*\])/.test(host)) throw new TypeError('Invalid hostname'); // a port
  const parsed = host === '' ? '' : domainToASCII(host);
  if (parsed === '') throw new TypeError('Invalid hostname');
  return parsed;
}

function ipv6Hostname(value) {
  if (!/^[0-9a-f[\]:]*$/i.test(value)) throw new TypeError('Invalid hostname');
  return value.toLowerCase();
}

// The default port of the protocol counts as none.
function port(value, scheme) {
  if (value === '') return '';
  const digits = /^\d+/.exec(withoutTabsAndNewlines(value))?.[0];
  if (digits === undefined || Number(digits) > 65535) throw new TypeError('Invalid port');
  const number = `${Number(digits)}`;
  return number === kDefaultPorts[scheme] ? '' : number;
}

function pathname(value) {
  if (value === '') return '';
  // Backslashes stay what they are, whatever the protocol.
  if (value[0] === '/') return bySetter('pathname', value, '', kPlainDummy);
  // So that the first segment is not taken for "." or "..".
  return bySetter('pathname', `/-${value}`, '', kPlainDummy).slice(2);
}

function opaquePathname(value) {
  return percentEncode(withoutTabsAndNewlines(value), C0_CONTROL);
}

const canonicalize = {
  protocol,
  username: (value) => bySetter('username', value, ''),
  password: (value) => bySetter('password', value, ''),
  hostname,
  ipv6Hostname,
  port,
  pathname,
  opaquePathname,
  search: (value) => bySetter('search', value, '?'),
  hash: (value) => bySetter('hash', value, '#'),
};

// ---- Patterns ----

const kDefault = { delimiter: '', prefix: '' };
const kHostname = { delimiter: '.', prefix: '' };
const kPathname = { delimiter: '/', prefix: '/' };

class Component {
  constructor(input, encode, options, ignoreCase = false) {
    const parts = parseParts(input, options, encode);
    const { source, names } = toRegExp(parts, options);
    this.pattern = toPattern(parts, options);
    this.hasRegExpGroups = parts.some(({ type }) => type === 'regexp');
    this.names = names;
    this.regExp = new RegExp(source, ignoreCase ? 'vsi' : 'vs');
  }

  test(input) {
    return this.regExp.test(input);
  }

  // { groups, input }, or null
  match(input) {
    const found = this.regExp.exec(input);
    if (found === null) return null;
    const groups = {};
    for (let i = 0; i < this.names.length; i++) groups[this.names[i]] = found[i + 1];
    return { groups, input };
  }
}

function compileProtocol(input) {
  return new Component(input, protocol, kDefault);
}

function matchesSpecialScheme(component) {
  return kSpecialSchemes.some((scheme) => component.test(scheme));
}

function isIPv6Pattern(input) {
  return input.length >= 2 && /^(\[|\{\[|\\\[)/.test(input);
}

// The patterns of all components: { protocol, ... }
function compile(init, ignoreCase) {
  const compiled = { __proto__: null, protocol: compileProtocol(init.protocol) };
  compiled.username = new Component(init.username, canonicalize.username, kDefault);
  compiled.password = new Component(init.password, canonicalize.password, kDefault);
  compiled.hostname = new Component(init.hostname, isIPv6Pattern(init.hostname) ? ipv6Hostname : hostname, kHostname);
  compiled.port = new Component(init.port, (value) => port(value), kDefault);
  compiled.pathname = matchesSpecialScheme(compiled.protocol) ?
    new Component(init.pathname, pathname, kPathname, ignoreCase) :
    new Component(init.pathname, opaquePathname, kDefault, ignoreCase);
  compiled.search = new Component(init.search, canonicalize.search, kDefault, ignoreCase);
  compiled.hash = new Component(init.hash, canonicalize.hash, kDefault, ignoreCase);
  return compiled;
}

module.exports = { canonicalize, compile, compileProtocol, kDefaultPorts, matchesSpecialScheme };
