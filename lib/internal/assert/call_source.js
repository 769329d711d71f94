'use strict';
// The source text of a call, for "The expression evaluated to a falsy value: assert.ok(x)".

const { state: sourceMaps } = require('internal/source_map/support');
const { sourceOf } = binding('errors');

// Where the function above `fn` on the stack calls: [name of the script, line of source, column,
// number of the line].
function placeOfCall(fn) {
  const { stackTraceLimit } = Error;
  const holder = new Error();
  try {
    Error.stackTraceLimit = 1;
    Error.captureStackTrace(holder, fn);
    return sourceOf(holder);
  } catch {
    return undefined;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

// The engine points at the last name of "assert.strict.ok", or at the bracket of "assert['ok'](x)"; the
// expression begins further left.
const kName = '[\\p{ID_Start}$_][\\p{ID_Continue}$]*';
const kKey = "\\[(?:[\\p{ID_Continue}$]+|'[^']*'|\"[^\"]*\")\\]";
const kOwner = new RegExp(`${kName}(?:\\??\\.${kName}|(?:\\?\\.)?${kKey})*(?:\\??\\.|(?<=\\]))$`, 'u');
const kMostOfOwner = 200;

function startOfCallee(text, position) {
  const start = Math.max(position - kMostOfOwner, 0);
  return start + (kOwner.exec(text.slice(start, position))?.index ?? position - start);
}

// After these a slash begins a regular expression.
const kBeforeRegExp = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|in|of|void|new|case|delete))\s*$/;

function skipQuoted(text, i) {
  const mark = text[i++];
  while (i < text.length && text[i] !== mark) {
    if (text[i] === '\\') {
      i++;
    } else if (mark === '`' && text[i] === '$' && text[i + 1] === '{') {
      i = skipBrackets(text, i + 1) - 1;
    }
    i++;
  }
  return i + 1;
}

function skipRegExp(text, i) {
  let inClass = false;
  for (i++; i < text.length && text[i] !== '\n'; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '[') inClass = true;
    else if (text[i] === ']') inClass = false;
    else if (text[i] === '/' && !inClass) return i + 1;
  }
  return i;
}

// From an opening bracket to after the closing one.
function skipBrackets(text, start) {
  let depth = 0;
  for (let i = start; i < text.length;) {
    const char = text[i];
    if (char === '"' || char === "'" || char === '`') {
      i = skipQuoted(text, i);
    } else if (char === '/' && text[i + 1] === '/') {
      const end = text.indexOf('\n', i);
      i = end === -1 ? text.length : end;
    } else if (char === '/' && text[i + 1] === '*') {
      const end = text.indexOf('*/', i);
      i = end === -1 ? text.length : end + 2;
    } else if (char === '/' && kBeforeRegExp.test(text.slice(start, i))) {
      i = skipRegExp(text, i);
    } else {
      if (char === '(' || char === '[' || char === '{') depth++;
      else if (char === ')' || char === ']' || char === '}') depth--;
      i++;
      if (depth === 0) return i;
    }
  }
  return -1;
}

// eslint-disable-next-line no-control-regex
const kControl = /[\x00-\x08\x0b\x0c\x0e-\x1f]/g;

function escapeControl(code) {
  return code.replace(kControl, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

// The text of the call of `fn` that is on the stack, as far as it is on one line, or undefined if it cannot
// be found.
function sourceOfCall(fn) {
  const place = placeOfCall(fn);
  if (place === undefined) return undefined;
  const { 0: name, 3: lineNumber } = place;
  let { 1: text, 2: column } = place;
  if (typeof name === 'string' && name.startsWith('node:')) return undefined; // ours
  if (sourceMaps.support.enabled) {
    const original = require('internal/source_map/stacks').originalLine(name, lineNumber, column);
    if (original !== undefined) ({ 0: text, 1: column } = original);
  }
  const open = text.indexOf('(', column);
  const end = open === -1 ? -1 : skipBrackets(text, open);
  const start = startOfCallee(text, column);
  return escapeControl(text.slice(start, end === -1 ? undefined : end));
}

module.exports = { sourceOfCall };
