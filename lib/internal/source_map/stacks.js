'use strict';
// Stacks, and the line of source above them, as the sources have them that a module was made of.

const { errorHeader } = require('internal/errors');
const { findSourceMap } = require('internal/source_map/support');

function pathOf(source) {
  return source.startsWith('file://') ? require('internal/url').fileURLToPath(source) : source;
}

// A minifier may have renamed the function; its old name is at the position where it begins, or at
// the position that calls it.
function originalName(map, site, caller) {
  const { name } = map.findEntry(site.getEnclosingLineNumber() - 1, site.getEnclosingColumnNumber() - 1);
  if (name) return name;
  if (caller === undefined || caller.getFileName() !== site.getFileName()) return undefined;
  return map.findEntry(caller.getLineNumber() - 1, caller.getColumnNumber() - 1).name;
}

function describeSite(map, site, caller) {
  const { originalSource, originalLine, originalColumn } =
    map.findEntry(site.getLineNumber() - 1, site.getColumnNumber() - 1);
  if (originalSource === undefined || originalLine === undefined || originalColumn === undefined) {
    return `${site}`;
  }
  const name = originalName(map, site, caller) ||
    (site.getFunctionName() ?? site.getMethodName()) || '<anonymous>';
  const typeName = site.getTypeName();
  const owner = typeName !== null && typeName !== 'global' ? `${typeName}.` : '';
  const prefix = site.isAsync() ? 'async ' : site.isConstructor() ? 'new ' : '';
  return `${prefix}${owner}${name} (${pathOf(originalSource)}:${originalLine + 1}:${originalColumn + 1})`;
}

function prepareStackTrace(error, trace) {
  let text = errorHeader(error);
  for (let i = 0; i < trace.length; i++) {
    const site = trace[i];
    text += '\n    at ';
    try {
      const map = findSourceMap(site.getFileName() ?? site.getEvalOrigin());
      text += map === undefined ? `${site}` : describeSite(map, site, trace[i + 1]);
    } catch {
      text += `${site}`;
    }
  }
  return text;
}

// For util.getCallSites(): each with the source location of its map, if there is one.
function mapCallSites(sites) {
  return sites.map((site) => {
    const entry = findSourceMap(site.scriptName)?.findEntry(site.lineNumber - 1, site.columnNumber - 1);
    if (entry?.originalSource === undefined) return site;
    return {
      __proto__: null,
      functionName: entry.name ?? '',
      scriptName: entry.originalSource,
      lineNumber: entry.originalLine + 1,
      column: entry.originalColumn + 1,
      columnNumber: entry.originalColumn + 1,
    };
  });
}

function readSource({ sources, sourcesContent }, source) {
  const content = sourcesContent?.[sources.indexOf(source)];
  if (content) return content;
  if (!source.startsWith('file://')) return undefined;
  try {
    return require('fs').readFileSync(require('internal/url').fileURLToPath(source), 'utf8');
  } catch {
    return undefined;
  }
}

// The line of the source that a position comes from, and the column there; undefined without a map, or
// where the source is not there. Lines count from 1, columns from 0.
function originalLine(filename, lineNumber, columnNumber) {
  const map = findSourceMap(filename);
  if (map === undefined) return undefined;
  const { originalSource, originalLine: number, originalColumn } = map.findEntry(lineNumber - 1, columnNumber);
  if (originalSource === undefined) return undefined;
  const line = readSource(map.payload, originalSource)?.split(/\r?\n/, number + 1)[number];
  return line ? [line, originalColumn, `${pathOf(originalSource)}:${number + 1}`] : undefined;
}

// What an uncaught error shows above its stack: "file:line", the line, a caret.
function mappedSourceLine(filename, lineNumber, columnNumber) {
  const original = originalLine(filename, lineNumber, columnNumber);
  if (original === undefined) return undefined;
  const [line, column, place] = original;
  const { getStringWidth } = require('internal/util/inspect');
  const indent = Array.from(line.slice(0, column + 1),
    (character) => (character === '\t' ? '\t' : ' '.repeat(getStringWidth(character)))).join('');
  return `${place}\n${line}\n${indent.slice(0, -1)}^\n`;
}

module.exports = { mapCallSites, mappedSourceLine, originalLine, prepareStackTrace };
