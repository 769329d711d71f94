'use strict';
// Paths of POSIX systems.

const { validateString } = require('internal/validators');
const {
  SLASH, basename, collapse, componentEnd, componentStart, extensionStart, isSlash, makeFormat, matchesGlob,
} = require('internal/path/shared');

// Whether there is nothing to normalise: no empty component, none that begins with a dot.
function isNormal(path) {
  let afterSlash = true;
  for (let i = 0; i < path.length; i++) {
    const code = path.charCodeAt(i);
    if (code === SLASH) {
      if (afterSlash && i > 0) return false;
      afterSlash = true;
    } else {
      if (afterSlash && code === 0x2e) return false;
      afterSlash = false;
    }
  }
  return true;
}

function normalize(path) {
  if (path.length === 0) return '.';
  if (isNormal(path)) return path;
  const absolute = path.charCodeAt(0) === SLASH;
  const trailing = path.charCodeAt(path.length - 1) === SLASH;
  const inner = collapse(path, 0, path.length, !absolute, '/', isSlash);
  if (inner.length === 0) return absolute ? '/' : trailing ? './' : '.';
  const body = trailing ? inner + '/' : inner;
  return absolute ? '/' + body : body;
}

// Makes a path absolute, without a trailing slash; relative only if the working directory is unknown.
function resolveFrom(path) {
  if (path.charCodeAt(0) !== SLASH) path = path.length > 0 ? `${process.cwd()}/${path}` : process.cwd();
  const absolute = path.charCodeAt(0) === SLASH;
  if (absolute && path.charCodeAt(path.length - 1) !== SLASH && isNormal(path)) return path;
  const inner = collapse(path, 0, path.length, !absolute, '/', isSlash);
  if (absolute) return '/' + inner;
  return inner.length > 0 ? inner : '.';
}

module.exports = {
  resolve(...args) {
    let path = '';
    for (let i = args.length - 1; i >= 0; i--) {
      const part = args[i];
      validateString(part, `paths[${i}]`);
      if (part.length === 0) continue;
      path = path.length > 0 ? `${part}/${path}` : part;
      if (part.charCodeAt(0) === SLASH) break;
    }
    return resolveFrom(path);
  },

  normalize(path) {
    validateString(path, 'path');
    return normalize(path);
  },

  isAbsolute(path) {
    validateString(path, 'path');
    return path.length > 0 && path.charCodeAt(0) === SLASH;
  },

  join(...args) {
    let joined = '';
    for (let i = 0; i < args.length; i++) {
      const part = args[i];
      validateString(part, 'path');
      if (part.length > 0) joined = joined.length > 0 ? `${joined}/${part}` : part;
    }
    return normalize(joined);
  },

  relative(from, to) {
    validateString(from, 'from');
    validateString(to, 'to');
    if (from === to) return '';
    from = resolveFrom(from);
    to = resolveFrom(to);
    if (from === to) return '';
    if (from === '/') return to.slice(1);

    // The length of what they share, up to and without a slash.
    let shared = 0;
    const shorter = Math.min(from.length, to.length);
    let i = 0;
    while (i < shorter && from.charCodeAt(i) === to.charCodeAt(i)) {
      if (from.charCodeAt(i) === SLASH) shared = i;
      i++;
    }
    if (i === shorter) {
      if (from.length > i && from.charCodeAt(i) === SLASH) shared = i;
      if (to.length > i && to.charCodeAt(i) === SLASH) shared = i;
    }
    let out = '';
    for (let k = shared; k < from.length; k++) {
      if (from.charCodeAt(k) === SLASH) out += out.length === 0 ? '..' : '/..';
    }
    if (out.length > 0) return to.length === 1 ? out : out + to.slice(shared);
    return to.slice(shared + 1);
  },

  toNamespacedPath(path) {
    return path;
  },

  dirname(path) {
    validateString(path, 'path');
    if (path.length === 0) return '.';
    const absolute = path.charCodeAt(0) === SLASH;
    const slash = componentStart(path, 1, componentEnd(path, 1, isSlash), isSlash) - 1;
    if (slash === 0) return absolute ? '/' : '.';
    return slash === 1 && absolute ? '//' : path.slice(0, slash);
  },

  basename(path, suffix) {
    if (suffix !== undefined) validateString(suffix, 'suffix');
    validateString(path, 'path');
    return basename(path, suffix, 0, isSlash);
  },

  extname(path) {
    validateString(path, 'path');
    const end = componentEnd(path, 0, isSlash);
    const start = componentStart(path, 0, end, isSlash);
    return path.slice(extensionStart(path, start, end), end);
  },

  format: makeFormat('/'),

  parse(path) {
    validateString(path, 'path');
    const parsed = { root: '', dir: '', base: '', ext: '', name: '' };
    if (path.length === 0) return parsed;
    const absolute = path.charCodeAt(0) === SLASH;
    if (absolute) parsed.root = '/';
    const floor = absolute ? 1 : 0;
    const end = componentEnd(path, floor, isSlash);
    const start = componentStart(path, floor, end, isSlash);
    let dot = extensionStart(path, start, end);
    if (absolute && start === 1 && path.slice(start, end) === '..') dot = 2; // as Node sees it
    parsed.base = path.slice(start, end);
    parsed.name = path.slice(start, dot);
    parsed.ext = path.slice(dot, end);
    if (start > 1 || (start > 0 && !absolute)) parsed.dir = path.slice(0, start - 1);
    else if (absolute) parsed.dir = '/';
    return parsed;
  },

  matchesGlob(path, pattern) {
    return matchesGlob(path, pattern, false);
  },

  sep: '/',
  delimiter: ':',
  win32: null,
  posix: null,
};
