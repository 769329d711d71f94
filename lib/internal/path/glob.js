'use strict';
// path.matchesGlob(): '*', '?', '[...]', '{a,b}', '{1..3}', '**' and the extended patterns '?(..)', '*(..)',
// '+(..)', '@(..)', '!(..)'. A name that begins with a dot is matched only by a pattern that does.

let warned = false;

function warnOnce() {
  if (warned) return;
  warned = true;
  process.emitWarning('glob is an experimental feature and might change at any time', 'ExperimentalWarning');
}

// ---- braces ----

// The index after the '}' that closes the '{' at `start`, or -1; `commas` takes the commas of its own level.
function closeBrace(pattern, start, commas) {
  let depth = 0;
  for (let i = start; i < pattern.length; i++) {
    if (pattern[i] === '{') depth++;
    else if (pattern[i] === '}' && --depth === 0) return i;
    else if (pattern[i] === ',' && depth === 1) commas.push(i);
  }
  return -1;
}

function expandRange(text) {
  const range = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/.exec(text);
  if (range === null) return null;
  const numeric = /\d/.test(range[1]);
  if (numeric !== /\d/.test(range[2])) return null;
  const from = numeric ? Number(range[1]) : range[1].charCodeAt(0);
  const to = numeric ? Number(range[2]) : range[2].charCodeAt(0);
  const step = Math.max(Math.abs(Number(range[3] ?? 1)), 1);
  const padded = numeric && /(^| )-?0\d/.test(range[1] + ' ' + range[2]);
  const width = padded ? Math.max(range[1].length, range[2].length) : 0;
  const out = [];
  for (let value = from; from <= to ? value <= to : value >= to; value += from <= to ? step : -step) {
    if (!numeric) out.push(String.fromCharCode(value));
    else out.push(value < 0 ? '-' + `${-value}`.padStart(width - 1, '0') : `${value}`.padStart(width, '0'));
  }
  return out;
}

function expandBraces(pattern) {
  for (let start = pattern.indexOf('{'); start >= 0; start = pattern.indexOf('{', start + 1)) {
    if (pattern[start - 1] === '$') continue;
    const commas = [];
    const end = closeBrace(pattern, start, commas);
    if (end < 0) continue;
    let choices;
    if (commas.length > 0) {
      const edges = [start, ...commas, end];
      choices = commas.concat(end).map((edge, i) => pattern.slice(edges[i] + 1, edge));
    } else {
      choices = expandRange(pattern.slice(start + 1, end));
      if (choices === null) continue;
    }
    const head = pattern.slice(0, start);
    const tail = pattern.slice(end + 1);
    return choices.flatMap((choice) => expandBraces(choice).flatMap((middle) => expandBraces(tail).map(
      (last) => head + middle + last)));
  }
  return [pattern];
}

// ---- one segment ----

const posixClasses = {
  alnum: '\\p{L}\\p{Nl}\\p{Nd}', alpha: '\\p{L}\\p{Nl}', ascii: '\\x00-\\x7f', blank: '\\p{Zs}\\t', cntrl: '\\p{Cc}',
  digit: '\\p{Nd}', lower: '\\p{Ll}', print: '\\P{C}', punct: '\\p{P}', space: '\\p{Z}\\t\\r\\n\\v\\f',
  upper: '\\p{Lu}', word: '\\p{L}\\p{Nl}\\p{Nd}\\p{Pc}', xdigit: 'A-Fa-f0-9',
};

// A class "[...]" at `start`: its regular expression and where it ends; null if it does not close.
function readClass(glob, start) {
  let i = start + 1;
  let negated = '';
  if (glob[i] === '!' || glob[i] === '^') {
    negated = '^';
    i++;
  }
  let body = '';
  for (const first = i; i < glob.length; i++) {
    const character = glob[i];
    if (character === ']' && i > first) return { source: `[${negated}${body}]`, end: i + 1 };
    const named = character === '[' ? /^\[:([a-z]+):\]/.exec(glob.slice(i)) : null;
    if (named !== null && posixClasses[named[1]] !== undefined) {
      body += posixClasses[named[1]];
      i += named[0].length - 1;
    } else {
      const range = character === '-' && body !== '' && glob[i + 1] !== ']';
      body += character === '-' ? (range ? '-' : '\\-') : escapeRegExp(character);
    }
  }
  return null;
}

function escapeRegExp(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

// The index of the ')' that closes the '(' at `start`, or -1.
function closeParenthesis(glob, start) {
  let depth = 0;
  for (let i = start; i < glob.length; i++) {
    if (glob[i] === '(') depth++;
    else if (glob[i] === ')' && --depth === 0) return i;
  }
  return -1;
}

function splitChoices(text) {
  const out = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (character === '|' && depth === 0) out.push('');
    else out[out.length - 1] += character;
  }
  return out;
}

function sourceOf(glob) {
  let out = '';
  for (let i = 0; i < glob.length; i++) {
    const character = glob[i];
    if ('?*+@!'.includes(character) && glob[i + 1] === '(') {
      const end = closeParenthesis(glob, i + 1);
      if (end >= 0) {
        const choices = splitChoices(glob.slice(i + 2, end)).map(sourceOf).join('|');
        if (character === '!') out += `(?:(?!(?:${choices})${sourceOf(glob.slice(end + 1))}$)[^/]*?)`;
        else out += `(?:${choices})${character === '@' ? '' : character}`;
        i = end;
        continue;
      }
    }
    if (character === '*') {
      while (glob[i + 1] === '*') i++;
      out += '[^/]*?';
    } else if (character === '?') {
      out += '[^/]';
    } else if (character === '[') {
      const found = readClass(glob, i);
      if (found === null) {
        out += '\\[';
      } else {
        out += found.source;
        i = found.end - 1;
      }
    } else {
      out += escapeRegExp(character);
    }
  }
  return out;
}

function compileSegment(glob) {
  if (glob === '**') return null;
  if (!/[*?[\]+@!(]/.test(glob)) return (name) => name === glob;
  const startsWild = /^[*?[+@!]/.test(glob);
  const regexp = new RegExp(`^${startsWild ? '(?!\\.)' : ''}${/^\*+$/.test(glob) ? '[^/]+?' : sourceOf(glob)}$`, 'u');
  return (name) => regexp.test(name);
}

// ---- paths ----

// `null` among the segments is "**": any number of directories, none of them hidden.
function matchSegments(names, n, segments, s) {
  for (; s < segments.length; n++, s++) {
    if (segments[s] === null) {
      const last = s + 1 === segments.length;
      for (let skip = n; skip <= names.length; skip++) {
        if (last ? skip === names.length && skip > n : matchSegments(names, skip, segments, s + 1)) return true;
        if (skip < names.length && names[skip].startsWith('.')) return false;
      }
      return false;
    }
    if (n >= names.length || !segments[s](names[n])) return false;
  }
  return n === names.length || (n === names.length - 1 && names[n] === '');
}

// Two slashes at the start are something of their own on Windows: a share.
function split(path, windows) {
  return path.replace(windows ? /(?<=.)\/{2,}/g : /\/{2,}/g, '/').split('/');
}

function matchesGlob(path, pattern, windows) {
  warnOnce();
  if (windows) path = path.replaceAll('\\', '/');
  const names = split(path, windows);
  for (const expanded of expandBraces(pattern.replaceAll('\\', '/'))) {
    if (expanded === '') {
      if (path === '') return true;
      continue;
    }
    if (matchSegments(names, 0, split(expanded, windows).map(compileSegment), 0)) return true;
  }
  return false;
}

module.exports = { matchesGlob };
