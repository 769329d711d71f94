'use strict';
// Paths of Windows: drives ("C:\a"), shares ("\\server\share\a"), devices ("\\.\COM1").

const { validateString } = require('internal/validators');
const {
  BACKSLASH, basename, collapse, componentEnd, componentStart, extensionStart, isAnySlash, makeFormat,
  matchesGlob,
} = require('internal/path/shared');

const COLON = 0x3a;

function isLetter(code) {
  code |= 0x20;
  return code >= 97 && code <= 122;
}

// The name of a device with a colon, in any part.
function hasReservedPart(path) {
  return path.includes(':') && path.split('\\').some((part) => part.includes(':') && isReserved(part));
}

function startsWithDrive(path) {
  return path.length >= 2 && isLetter(path.charCodeAt(0)) && path.charCodeAt(1) === COLON;
}

function skipSeparators(path, position) {
  while (position < path.length && isAnySlash(path.charCodeAt(position))) position++;
  return position;
}

function skipName(path, position) {
  while (position < path.length && !isAnySlash(path.charCodeAt(position))) position++;
  return position;
}

// The server and share of "\\server\share...", and where they end; null if the path does not begin so.
function readShare(path) {
  if (path.length < 2 || !isAnySlash(path.charCodeAt(0)) || !isAnySlash(path.charCodeAt(1))) return null;
  const serverEnd = skipName(path, 2);
  if (serverEnd === 2 || serverEnd === path.length) return null;
  const shareStart = skipSeparators(path, serverEnd);
  if (shareStart === path.length) return null;
  const end = skipName(path, shareStart);
  return { server: path.slice(2, serverEnd), share: path.slice(shareStart, end), end };
}

// The root of a path: `device` ("C:", "\\server\share", "\\." or ""), where the rest begins, whether the
// path is absolute.
function readRoot(path) {
  if (path.length === 0) return { device: '', end: 0, absolute: false, share: null };
  if (isAnySlash(path.charCodeAt(0))) {
    const share = readShare(path);
    if (share === null) return { device: '', end: 1, absolute: true, share: null };
    if (share.server === '.' || share.server === '?') {
      return { device: `\\\\${share.server}`, end: 4, absolute: true, share: null };
    }
    return { device: `\\\\${share.server}\\${share.share}`, end: share.end, absolute: true, share };
  }
  if (startsWithDrive(path)) {
    const absolute = path.length > 2 && isAnySlash(path.charCodeAt(2));
    return { device: path.slice(0, 2), end: absolute ? 3 : 2, absolute, share: null };
  }
  return { device: '', end: 0, absolute: false, share: null };
}

// How many characters of the root dirname() and parse() leave alone. A share takes the separator
// behind it along.
function rootLength(path) {
  if (path.length === 0) return 0;
  if (isAnySlash(path.charCodeAt(0))) {
    const share = readShare(path);
    if (share === null) return 1;
    return share.end === path.length ? share.end : share.end + 1;
  }
  if (!startsWithDrive(path)) return 0;
  return path.length > 2 && isAnySlash(path.charCodeAt(2)) ? 3 : 2;
}

const reservedNames = new Set(['CON', 'PRN', 'AUX', 'NUL']);
for (const digit of '123456789\u00b9\u00b2\u00b3') reservedNames.add('COM' + digit).add('LPT' + digit);

// Whether a path begins with a reserved name and a colon. (Without a colon it is all but the last character
// that counts: so it is in Node.)
function isReserved(path) {
  return reservedNames.has(path.slice(0, path.indexOf(':')).toUpperCase());
}

// A relative path must not become a drive or a device by being normalised ("a/../C:").
function guardColon(path, tail) {
  if (!path.includes(':')) return tail;
  if (startsWithDrive(tail)) return `.\\${tail}`;
  for (let colon = path.indexOf(':'); colon >= 0; colon = path.indexOf(':', colon + 1)) {
    if (colon === path.length - 1 || isAnySlash(path.charCodeAt(colon + 1))) return `.\\${tail}`;
  }
  return tail;
}

function normalize(path) {
  if (path.length === 0) return '.';
  if (path.length === 1) return path === '/' ? '\\' : path;
  const { absolute, share, ...root } = readRoot(path);
  let { device, end } = root;
  if (share !== null && end === path.length) return `${device}\\`;
  if (device === '\\\\.' || device === '\\\\?') {
    const name = path.slice(4, path.indexOf(':') + 1);
    if (isReserved(name)) {
      device = `\\\\?\\${name}`;
      end = 4 + name.length;
    }
  }
  const reserved = isReserved(path);
  if (device === '' && reserved && path.includes(':')) {
    end = path.indexOf(':') + 1;
    device = path.slice(0, end);
  }
  let tail = end < path.length ? collapse(path, end, path.length, !absolute, '\\', isAnySlash) : '';
  if (tail.length === 0 && !absolute) tail = '.';
  if (tail.length > 0 && isAnySlash(path.charCodeAt(path.length - 1))) tail += '\\';
  if (reserved) return `.\\${device}${tail}`;
  if (!absolute && device === '') return guardColon(path, tail);
  return absolute ? `${device}\\${tail}` : `${device}${tail}`;
}

// Windows keeps a working directory for each drive, in variables like "=C:".
function workingDirectory(device) {
  if (device === '') return process.cwd();
  const path = process.env[`=${device}`] || process.cwd();
  if (path === undefined ||
      (path.slice(0, 2).toLowerCase() !== device.toLowerCase() && path.charCodeAt(2) === BACKSLASH)) {
    return `${device}\\`;
  }
  return path;
}

function resolve(args) {
  let device = '';
  let tail = '';
  let absolute = false;
  for (let i = args.length - 1; i >= -1; i--) {
    let path;
    if (i >= 0) {
      path = args[i];
      validateString(path, `paths[${i}]`);
      if (path.length === 0) continue;
    } else {
      path = workingDirectory(device);
    }
    const root = readRoot(path);
    if (root.device !== '') {
      if (device === '') device = root.device;
      else if (root.device.toLowerCase() !== device.toLowerCase()) continue; // on another device
    }
    if (absolute) {
      if (device !== '') break;
      continue;
    }
    tail = `${path.slice(root.end)}\\${tail}`;
    absolute = root.absolute;
    if (absolute && device !== '') break;
  }
  tail = collapse(tail, 0, tail.length, !absolute, '\\', isAnySlash);
  if (absolute) return `${device}\\${tail}`;
  return `${device}${tail}` || '.';
}

// The backslashes at the ends of a path, as a range.
function trimBackslashes(path) {
  let start = 0;
  while (start < path.length && path.charCodeAt(start) === BACKSLASH) start++;
  let end = path.length;
  while (end - 1 > start && path.charCodeAt(end - 1) === BACKSLASH) end--;
  return { start, end };
}

// Where lower case is longer than upper case, positions in the one say nothing about the other.
function relativeByParts(from, to, toResolved) {
  const parts = (path) => path.split('\\').filter((part) => part !== '');
  const fromParts = parts(from);
  const toParts = parts(to);
  let same = 0;
  while (same < fromParts.length && same < toParts.length && fromParts[same] === toParts[same]) same++;
  if (same === 0) return toResolved; // not even the device
  return fromParts.slice(same).fill('..').concat(parts(toResolved).slice(same)).join('\\');
}

module.exports = {
  resolve(...args) {
    return resolve(args);
  },

  normalize(path) {
    validateString(path, 'path');
    return normalize(path);
  },

  isAbsolute(path) {
    validateString(path, 'path');
    if (path.length === 0) return false;
    return isAnySlash(path.charCodeAt(0)) ||
      (path.length > 2 && startsWithDrive(path) && isAnySlash(path.charCodeAt(2)));
  },

  join(...args) {
    let joined;
    let first;
    for (let i = 0; i < args.length; i++) {
      const part = args[i];
      validateString(part, 'path');
      if (part.length === 0) continue;
      if (joined === undefined) joined = first = part;
      else joined += `\\${part}`;
    }
    if (joined === undefined) return '.';

    // Only a first part that begins like a share by itself may make the result one.
    if (!/^[\\/]{2}[^\\/]/.test(first)) {
      const start = skipSeparators(joined, 0);
      if (start >= 2) joined = `\\${joined.slice(start)}`;
    }
    return hasReservedPart(joined) ? joined.replaceAll('/', '\\') : normalize(joined);
  },

  relative(from, to) {
    validateString(from, 'from');
    validateString(to, 'to');
    if (from === to) return '';
    const fromResolved = resolve([from]);
    const toResolved = resolve([to]);
    if (fromResolved === toResolved) return '';
    const a = fromResolved.toLowerCase();
    const b = toResolved.toLowerCase();
    if (a === b) return '';
    if (a.length !== fromResolved.length || b.length !== toResolved.length) {
      return relativeByParts(a, b, toResolved);
    }
    return relativeBetween(a, b, toResolved);
  },

  toNamespacedPath(path) {
    if (typeof path !== 'string' || path.length === 0) return path;
    const resolved = resolve([path]);
    if (resolved.length <= 2) return path;
    if (resolved.startsWith('\\\\')) {
      const code = resolved.charCodeAt(2);
      if (code !== 0x3f && code !== 0x2e) return `\\\\?\\UNC\\${resolved.slice(2)}`;
    } else if (startsWithDrive(resolved) && resolved.charCodeAt(2) === BACKSLASH) {
      return `\\\\?\\${resolved}`;
    }
    return resolved;
  },

  dirname(path) {
    validateString(path, 'path');
    if (path.length === 0) return '.';
    const root = rootLength(path);
    const share = readShare(path);
    if (share !== null && share.end === path.length) return path;
    const end = componentStart(path, root, componentEnd(path, root, isAnySlash), isAnySlash);
    if (end > root) return path.slice(0, end - 1);
    return root > 0 ? path.slice(0, root) : '.';
  },

  basename(path, suffix) {
    if (suffix !== undefined) validateString(suffix, 'suffix');
    validateString(path, 'path');
    return basename(path, suffix, startsWithDrive(path) ? 2 : 0, isAnySlash);
  },

  extname(path) {
    validateString(path, 'path');
    const floor = startsWithDrive(path) ? 2 : 0;
    const end = componentEnd(path, floor, isAnySlash);
    const start = componentStart(path, floor, end, isAnySlash);
    return path.slice(extensionStart(path, start, end), end);
  },

  format: makeFormat('\\'),

  parse(path) {
    validateString(path, 'path');
    const parsed = { root: '', dir: '', base: '', ext: '', name: '' };
    if (path.length === 0) return parsed;
    const root = rootLength(path);
    const end = componentEnd(path, root, isAnySlash);
    const start = componentStart(path, root, end, isAnySlash);
    const dot = extensionStart(path, start, end);
    parsed.root = path.slice(0, root);
    parsed.base = path.slice(start, end);
    parsed.name = path.slice(start, dot);
    parsed.ext = path.slice(dot, end);
    parsed.dir = start > root ? path.slice(0, start - 1) : parsed.root;
    return parsed;
  },

  matchesGlob(path, pattern) {
    return matchesGlob(path, pattern, true);
  },

  sep: '\\',
  delimiter: ';',
  win32: null,
  posix: null,
};

// `a` and `b` are compared, both in lower case; the result is taken from `to`, which is `b` as it was written.
function relativeBetween(a, b, to) {
  const from = trimBackslashes(a);
  const target = trimBackslashes(b);
  const fromLength = from.end - from.start;
  const toLength = target.end - target.start;
  const shorter = Math.min(fromLength, toLength);
  let shared = -1;
  let i = 0;
  for (; i < shorter; i++) {
    const code = a.charCodeAt(from.start + i);
    if (code !== b.charCodeAt(target.start + i)) break;
    if (code === BACKSLASH) shared = i;
  }
  if (i !== shorter) {
    if (shared === -1) return to; // another device
  } else {
    if (toLength > shorter) {
      if (b.charCodeAt(target.start + i) === BACKSLASH) return to.slice(target.start + i + 1);
      if (i === 2) return to.slice(target.start + i);
    }
    if (fromLength > shorter) {
      if (a.charCodeAt(from.start + i) === BACKSLASH) shared = i;
      else if (i === 2) shared = 3;
    }
    if (shared === -1) shared = 0;
  }
  let out = '';
  for (let k = from.start + shared + 1; k <= from.end; k++) {
    if (k === from.end || a.charCodeAt(k) === BACKSLASH) out += out.length === 0 ? '..' : '\\..';
  }
  let start = target.start + shared;
  if (out.length > 0) return `${out}${to.slice(start, target.end)}`;
  if (to.charCodeAt(start) === BACKSLASH) start++;
  return to.slice(start, target.end);
}
