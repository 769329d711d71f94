'use strict';
// --experimental-print-required-tla: where the modules of a graph that require() cannot load await.

const { Parser } = require('deps/acorn/dist/acorn');
const { pathOf, readFor } = require('internal/modules/esm/formats');
const { hasTopLevelAwait } = binding('module_wrap');
const { markDecorated } = binding('modules');

function isAwait({ type, await: isAwaited, kind }) {
  return type === 'AwaitExpression' || (type === 'ForOfStatement' && isAwaited) ||
    (type === 'VariableDeclaration' && kind === 'await using');
}

function isFunction({ type }) {
  return type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';
}

// Awaits that are in no function, as they come in the text.
function collect(node, found) {
  if (isFunction(node)) return;
  if (isAwait(node)) found.push(node.loc.start);
  for (const key of Object.keys(node)) {
    const value = node[key];
    const children = Array.isArray(value) ? value : [value];
    for (const child of children) {
      if (typeof child?.type === 'string') collect(child, found);
    }
  }
}

function locationsIn(url) {
  const found = [];
  let source;
  try {
    source = readFor(url, 'module');
    collect(Parser.parse(source, {
      __proto__: null, ecmaVersion: 'latest', sourceType: 'module', locations: true, allowHashBang: true,
    }), found);
  } catch {
    return []; // not the text that was compiled, or newer than the parser
  }
  const lines = source.split(/\r?\n/);
  return found.map(({ line, column }) =>
    ({ __proto__: null, url, line, column: column + 1, sourceLine: lines[line - 1] }));
}

// Of a record and all that it imports.
function findLocations(record, seen = new Set()) {
  if (seen.has(record)) return [];
  seen.add(record);
  const found = record.format === 'module' && hasTopLevelAwait(record.handle) ? locationsIn(record.url) : [];
  const imports = record.imports ?? [];
  for (let i = 1; i < imports.length; i += 2) found.push(...findLocations(imports[i], seen));
  return found;
}

// Shows them above the stack of the error.
function addLocations(error, record) {
  const locations = findLocations(record);
  if (locations.length === 0) return;
  Object.defineProperty(error, 'topLevelAwaitLocations', {
    __proto__: null, value: locations, writable: true, configurable: true,
  });
  const frames = locations.map(({ url, line, column, sourceLine }) =>
    `${url.startsWith('file:') ? pathOf(url) : url}:${line}\n\n${sourceLine}\n${' '.repeat(column - 1)}^\n`);
  error.stack = `${frames.join('\n')}\n${error.stack}`;
  markDecorated(error);
}

module.exports = { addLocations };
