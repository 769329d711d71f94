'use strict';
// A URL as its text and where its components lie in it. The parser is ada, in C++.

const native = binding('url');
const { UrlAction, UrlComponent, UrlScheme } = require('internal/native/enums');
const {
  protocolEnd, usernameEnd, hostStart, hostEnd, port, pathnameStart, searchStart, hashStart, schemeType,
} = UrlComponent;

const components = new Uint32Array(Object.keys(UrlComponent).length); // what C++ says of the last URL
const memory = components.buffer;
const kAbsent = 0xffffffff;
const { notSpecial: kNotSpecial, file: kFile } = UrlScheme;

// Its properties are Node's: inspection of hidden properties shows them.
class URLContext {
  constructor(href) {
    this.href = href;
    this.protocol_end = components[protocolEnd];
    this.username_end = components[usernameEnd];
    this.host_start = components[hostStart];
    this.host_end = components[hostEnd];
    this.pathname_start = components[pathnameStart];
    this.search_start = components[searchStart];
    this.hash_start = components[hashStart];
    this.port = components[port];
    this.scheme_type = components[schemeType];
  }

  get hasPort() {
    return this.port !== kAbsent;
  }

  get hasSearch() {
    return this.search_start !== kAbsent;
  }

  get hasHash() {
    return this.hash_start !== kAbsent;
  }
}

// Takes strings; `base` may be undefined. Returns null if the URL is invalid.
function parse(input, base) {
  const href = native.parse(input, base, memory);
  return href === undefined ? null : new URLContext(href);
}

// The context after what a setter of URL does, or null if that changes nothing.
function change(context, action, value) {
  const href = native.change(context.href, action, value, memory);
  return href === undefined ? null : new URLContext(href);
}

// The host in ASCII, '' if it is none.
function domainToASCII(domain) {
  const context = change(parse('ws://x'), UrlAction.hostname, domain);
  return context === null ? '' : hostnameOf(context);
}

// ---- Components, as the getters of URL give them ----

function protocolOf(context) {
  return context.href.slice(0, context.protocol_end);
}

function hasAuthority(context) {
  return context.href.startsWith('//', context.protocol_end);
}

function usernameOf(context) {
  const start = context.protocol_end + 2;
  return start < context.username_end ? context.href.slice(start, context.username_end) : '';
}

function passwordOf(context) {
  const start = context.username_end + 1;
  return start < context.host_start ? context.href.slice(start, context.host_start) : '';
}

const kAt = 0x40;

function startOfHost({ href, host_start: start }) {
  return href.charCodeAt(start) === kAt ? start + 1 : start;
}

function hostnameOf(context) {
  return context.href.slice(startOfHost(context), context.host_end);
}

// What else is between the host and the path, "/.", belongs to neither.
function hostOf(context) {
  return context.href.slice(startOfHost(context), context.hasPort ? context.pathname_start : context.host_end);
}

function portOf(context) {
  return context.hasPort ? `${context.port}` : '';
}

function endOfSearch(context) {
  return context.hasHash ? context.hash_start : context.href.length;
}

function pathnameOf(context) {
  return context.href.slice(context.pathname_start, context.hasSearch ? context.search_start : endOfSearch(context));
}

// With its '?'; that alone remains, which getters give as ''.
function searchOf(context) {
  return context.hasSearch ? context.href.slice(context.search_start, endOfSearch(context)) : '';
}

function queryOf(context) {
  return searchOf(context).slice(1);
}

// The same with '#'.
function hashOf(context) {
  return context.hasHash ? context.href.slice(context.hash_start) : '';
}

// Whether the path is not a list of segments.
function isOpaque(context) {
  return !hasAuthority(context) && context.href[context.pathname_start] !== '/';
}

function originOf(context) {
  const { href, protocol_end: end, scheme_type: type } = context;
  if (type !== kNotSpecial && type !== kFile) return `${href.slice(0, end)}//${hostOf(context)}`;
  if (href.startsWith('blob:')) {
    const inner = parse(pathnameOf(context));
    if (inner !== null && /^https?:/.test(inner.href)) return originOf(inner);
  }
  return 'null';
}

module.exports = {
  UrlAction, change, domainToASCII, hasAuthority, hashOf, hostOf, hostnameOf, isOpaque, originOf, parse, passwordOf, pathnameOf,
  portOf, protocolOf, queryOf, searchOf, usernameOf,
};
