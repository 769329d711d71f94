'use strict';
// The dictionary that URLPattern takes, made complete with a base URL: for a pattern (values stay patterns), or for a URL to
// be matched (values are written as a URL has them).

const {
  hashOf, hostnameOf, isOpaque, parse, passwordOf, pathnameOf, portOf, protocolOf, queryOf, usernameOf,
} = require('internal/url/context');
const { escapePattern } = require('internal/url/pattern/parts');
const { canonicalize, kDefaultPorts } = require('internal/url/pattern/components');

const kComponents = ['protocol', 'username', 'password', 'hostname', 'port', 'pathname', 'search', 'hash'];

function componentsOf(context) {
  return {
    __proto__: null,
    protocol: protocolOf(context).slice(0, -1),
    username: usernameOf(context),
    password: passwordOf(context),
    hostname: hostnameOf(context),
    port: portOf(context),
    pathname: pathnameOf(context),
    search: queryOf(context),
    hash: hashOf(context).slice(1),
  };
}

// What is more special than what the dictionary has comes from the base: once it has a hostname, no port does.
const kInheritedUnless = {
  __proto__: null,
  protocol: ['protocol'],
  username: ['protocol', 'hostname', 'port', 'username'],
  password: ['protocol', 'hostname', 'port', 'username', 'password'],
  hostname: ['protocol', 'hostname'],
  port: ['protocol', 'hostname', 'port'],
  pathname: ['protocol', 'hostname', 'port', 'pathname'],
  search: ['protocol', 'hostname', 'port', 'pathname', 'search'],
  hash: ['protocol', 'hostname', 'port', 'pathname', 'search', 'hash'],
};

function inherit(result, init, base, isPattern) {
  const values = componentsOf(base);
  for (const name of kComponents) {
    if (isPattern && (name === 'username' || name === 'password')) continue;
    if (kInheritedUnless[name].some((other) => init[other] !== undefined)) continue;
    result[name] = isPattern ? escapePattern(values[name]) : values[name];
  }
}

function isAbsolute(pathname, isPattern) {
  if (pathname.startsWith('/')) return true;
  return isPattern && (pathname.startsWith('\\/') || pathname.startsWith('{/'));
}

function resolvePathname(pathname, base, isPattern) {
  if (base === null || isOpaque(base) || isAbsolute(pathname, isPattern)) return pathname;
  const path = isPattern ? escapePattern(pathnameOf(base)) : pathnameOf(base);
  return path.slice(0, path.lastIndexOf('/') + 1) + pathname;
}

function canonicalPathname(value, protocol) {
  return protocol === '' || protocol in kDefaultPorts ?
    canonicalize.pathname(value) : canonicalize.opaquePathname(value);
}

// Undefined for a base that is not a URL.
function parseBase(text) {
  return text === undefined ? null : parse(text) ?? undefined;
}

// Throws for what no URL can have.
function processInit(init, isPattern, defaults) {
  const result = { __proto__: null, ...defaults };
  const base = parseBase(init.baseURL);
  if (base === undefined) throw new TypeError('Invalid base URL');
  if (base !== null) inherit(result, init, base, isPattern);
  const set = (name, value, convert = canonicalize[name]) => { result[name] = isPattern ? value : convert(value); };
  if (init.protocol !== undefined) set('protocol', init.protocol.replace(/:$/, ''));
  for (const name of ['username', 'password', 'hostname']) {
    if (init[name] !== undefined) set(name, init[name]);
  }
  if (init.port !== undefined) set('port', init.port, (value) => canonicalize.port(value, result.protocol));
  if (init.pathname !== undefined) {
    const pathname = resolvePathname(init.pathname, base, isPattern);
    set('pathname', pathname, (value) => canonicalPathname(value, result.protocol ?? ''));
  }
  if (init.search !== undefined) set('search', init.search.replace(/^\?/, ''));
  if (init.hash !== undefined) set('hash', init.hash.replace(/^#/, ''));
  return result;
}

module.exports = { componentsOf, kComponents, processInit };
