'use strict';
// The format of .env files, as Node reads it: KEY=value, quotes of three kinds that may span lines, comments,
// `export`. Only spaces count as blank; a key reaches to the next "=", over line ends if need be.

function trim(text) {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === ' ') start++;
  while (end > start && text[end - 1] === ' ') end--;
  return text.slice(start, end);
}

function restAfterLine(text, from) {
  const newline = text.indexOf('\n', from);
  return newline === -1 ? '' : text.slice(newline + 1);
}

// Reads a value from the beginning of the text: the value and what follows it.
function readValue(text) {
  const quote = text[0];
  if (quote === '"' || quote === "'" || quote === '`') {
    const closing = text.indexOf(quote, 1);
    if (closing !== -1) {
      const inner = text.slice(1, closing);
      const value = quote === '"' ? inner.replaceAll('\\n', '\n') : inner;
      return { value, rest: restAfterLine(text, closing + 1) };
    }
    // Never closed: the line as it is, if it is one.
    const newline = text.indexOf('\n');
    if (newline === -1) return { value: undefined, rest: text };
    return { value: text.slice(0, newline), rest: text.slice(newline + 1) };
  }
  const newline = text.indexOf('\n');
  const line = newline === -1 ? text : text.slice(0, newline);
  const hash = line.indexOf('#');
  return { value: trim(hash === -1 ? line : line.slice(0, hash)), rest: restAfterLine(text, 0) };
}

function parseEnv(content) {
  const found = new Map();
  let text = trim(content.replaceAll('\r', ''));
  while (text !== '') {
    if (text[0] === '\n' || (text[0] === '#' && text.includes('\n'))) {
      text = restAfterLine(text, 0);
      continue;
    }
    const equals = text.indexOf('=');
    if (equals === -1) break;
    let key = trim(text.slice(0, equals));
    if (key === '') break;
    if (key.startsWith('export ')) key = key.slice('export '.length);
    const { value, rest } = readValue(trim(text.slice(equals + 1)));
    if (value !== undefined) found.set(key, value);
    text = rest;
  }
  // Node keeps them in a sorted map.
  const result = {};
  for (const key of [...found.keys()].sort()) result[key] = found.get(key);
  return result;
}

module.exports = { parseEnv };
