'use strict';
// The source text of a call, for "The expression evaluated to a falsy value: assert.ok(x)".

// The call site of the function above `fn` on the stack.
function callSiteOf(fn) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = 1;
    Error.prepareStackTrace = (_, sites) => sites;
    const holder = {};
    Error.captureStackTrace(holder, fn);
    return holder.stack?.[0];
  } catch {
    return undefined;
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function readLine(filename, lineNumber) {
  if (filename.startsWith('node:')) return undefined; // ours: it lies in no file
  const path = filename.startsWith('file:') ? require('url').fileURLToPath(filename) : filename;
  let text;
  try {
    text = require('fs').readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  return text.split('\n', lineNumber)[lineNumber - 1];
}

const kNameChar = /[\p{ID_Continue}$\u200c\u200d]/u;
const kOpening = { ')': '(', ']': '[' };

// The engine points at the last name of "assert.strict.ok", or at the bracket of "assert['ok'](x)"; the
// expression begins further left.
function startOfCallee(text, position) {
  let i = skipBracketsBackwards(text, position);
  for (;;) {
    while (i > 0 && kNameChar.test(text[i - 1])) i--;
    if (text[i - 1] !== '.') return i;
    const end = text[i - 2] === '?' ? i - 2 : i - 1;
    // Nothing to the left: the call began on a line above.
    if (end <= 0 || /\s/.test(text[end - 1])) return i;
    i = skipBracketsBackwards(text, end);
  }
}

function skipBracketsBackwards(text, end) {
  let i = end;
  while (i > 0 && kOpening[text[i - 1]] !== undefined) {
    const closing = text[i - 1];
    let depth = 0;
    do {
      i--;
      if (text[i] === closing) depth++;
      else if (text[i] === kOpening[closing]) depth--;
    } while (depth > 0 && i > 0);
    while (i > 0 && kNameChar.test(text[i - 1])) i--;
  }
  return i;
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
  const site = callSiteOf(fn);
  const filename = site?.getFileName();
  if (!filename || site.isEval()) return undefined;
  const text = readLine(filename, site.getLineNumber());
  if (text === undefined) return undefined;
  const column = site.getColumnNumber() - 1;
  const open = text.indexOf('(', column);
  const end = open === -1 ? -1 : skipBrackets(text, open);
  const start = startOfCallee(text, column);
  return escapeControl(text.slice(start, end === -1 ? undefined : end));
}

module.exports = { sourceOfCall };
