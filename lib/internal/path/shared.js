'use strict';
// What the two kinds of paths have in common.

const { validateObject, validateString } = require('internal/validators');

const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const DOT = 0x2e;

function isSlash(code) {
  return code === SLASH;
}

function isAnySlash(code) {
  return code === SLASH || code === BACKSLASH;
}

// Resolves '.' and '..' in path[start, end) and leaves single separators, none at the ends. '..' that lead
// out of the path are kept if `above` is true.
function collapse(path, start, end, above, separator, isSeparator) {
  let out = '';
  let floor = 0; // before it, `out` has only '..' components, which cannot be removed
  let position = start;
  while (position < end) {
    while (position < end && isSeparator(path.charCodeAt(position))) position++;
    const begin = position;
    while (position < end && !isSeparator(path.charCodeAt(position))) position++;
    const length = position - begin;
    if (length === 0) break;
    if (length === 1 && path.charCodeAt(begin) === DOT) continue;
    if (length === 2 && path.charCodeAt(begin) === DOT && path.charCodeAt(begin + 1) === DOT) {
      if (out.length > floor) {
        const cut = out.lastIndexOf(separator);
        out = cut > floor ? out.slice(0, cut) : out.slice(0, floor);
      } else if (above) {
        out += out === '' ? '..' : separator + '..';
        floor = out.length;
      }
      continue;
    }
    out += out === '' ? path.slice(begin, position) : separator + path.slice(begin, position);
  }
  return out;
}

// Where the last component ends, trailing separators left out, and where it begins.
function componentEnd(path, floor, isSeparator) {
  let end = path.length;
  while (end > floor && isSeparator(path.charCodeAt(end - 1))) end--;
  return end;
}

function componentStart(path, floor, end, isSeparator) {
  let start = end;
  while (start > floor && !isSeparator(path.charCodeAt(start - 1))) start--;
  return start;
}

function basename(path, suffix, floor, isSeparator) {
  const end = componentEnd(path, floor, isSeparator);
  const start = componentStart(path, floor, end, isSeparator);
  if (suffix === undefined || suffix.length === 0 || suffix.length > path.length) return path.slice(start, end);
  if (suffix === path) return '';
  let matched = 0;
  const most = Math.min(suffix.length, end - start);
  while (matched < most && path.charCodeAt(end - 1 - matched) === suffix.charCodeAt(suffix.length - 1 - matched)) {
    matched++;
  }
  const isWhole = matched === end - start;
  if (matched === suffix.length) return path.slice(start, isWhole ? end : end - matched);
  // Where the suffix extends beyond the component, Node keeps the trailing separators.
  return isWhole ? path.slice(start) : path.slice(start, end);
}

// Where the extension of the component [start, end) begins; `end` if it has none.
function extensionStart(path, start, end) {
  let dot = end - 1;
  while (dot > start && path.charCodeAt(dot) !== DOT) dot--;
  if (dot <= start) return end; // none, or a name like ".profile"
  return dot === end - 1 && dot === start + 1 && path.charCodeAt(start) === DOT ? end : dot;
}

function format(separator, pathObject) {
  validateObject(pathObject, 'pathObject');
  const dir = pathObject.dir || pathObject.root;
  const { name, ext } = pathObject;
  const base = pathObject.base || `${name || ''}${ext ? (ext[0] === '.' ? '' : '.') + ext : ''}`;
  if (!dir) return base;
  return dir === pathObject.root ? `${dir}${base}` : `${dir}${separator}${base}`;
}

// Node's is a bound function, and shows it in its name.
function makeFormat(separator) {
  return function _format(pathObject) {
    return format(separator, pathObject);
  }.bind(null);
}

function matchesGlob(path, pattern, windows) {
  validateString(path, 'path');
  validateString(pattern, 'pattern');
  return require('internal/path/glob').matchesGlob(path, pattern, windows);
}

module.exports = {
  BACKSLASH,
  SLASH,
  basename,
  collapse,
  componentEnd,
  componentStart,
  extensionStart,
  isAnySlash,
  isSlash,
  makeFormat,
  matchesGlob,
};
