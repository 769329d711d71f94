'use strict';
// Coverage of code that was made of other sources: ranges in it become ranges in those.

const { codes: { ERR_SOURCE_MAP_CORRUPT, ERR_SOURCE_MAP_MISSING_SOURCE } } = require('internal/errors');
const { coverLines, linesOfLengths } = require('internal/test_runner/coverage/lines');
const { SourceMap } = require('internal/source_map/source_map');

function firstEntry(map, lengths) {
  for (let line = 0; line < lengths.length; line++) {
    for (let column = 0; column <= lengths[line]; column++) {
      const entry = map.findEntry(line, column);
      if (entry.originalSource !== undefined) return entry;
    }
  }
  return {};
}

// -1 for a position that is not in the source.
function offsetOf({ originalLine, originalColumn }, lines) {
  const line = lines[Math.max(originalLine, 0)];
  return line === undefined ? -1 : Math.min(line.start + originalColumn, line.end);
}

class MappedScript {
  #map;
  #lines; // of the generated code
  #lengths;
  #sources; // SourceTable
  #url;

  constructor(url, { data, lineLengths }, sources) {
    if (!data) throw new ERR_SOURCE_MAP_CORRUPT(url);
    this.#url = url;
    this.#sources = sources;
    this.#lengths = lineLengths;
    this.#lines = linesOfLengths(lineLengths);
    data.sources.forEach((source, index) => {
      const content = data.sourcesContent?.[index];
      if (content != null) sources.lines(source, content);
      sources.ignoreTypes(source, content);
    });
    this.#map = new SourceMap(data, { __proto__: null, lineLengths });
  }

  // Where a range begins and ends, undefined for code that no source has.
  #ends(range) {
    const touched = coverLines(range, this.#lines);
    if (touched.length === 0) return undefined;
    const first = touched[0];
    const last = touched.at(-1);
    let begin = this.#map.findEntry(first.number - 1, Math.max(0, range.startOffset - first.start));
    const end = this.#map.findEntry(last.number - 1, range.endOffset - last.start - 1);
    // The beginning of the file may be without a mapping.
    if (!begin.originalSource && end.originalSource && range.startOffset === 0 && first.number === 1) {
      begin = firstEntry(this.#map, this.#lengths);
    }
    return begin.originalSource && begin.originalSource === end.originalSource ? [begin, end] : undefined;
  }

  // -> [url, function] of the source, or undefined
  mapFunction({ functionName, isBlockCoverage, ranges }) {
    let url;
    const mapped = [];
    for (const range of ranges ?? []) {
      const ends = this.#ends(range);
      if (ends === undefined) continue;
      const [begin, end] = ends;
      url ??= begin.originalSource;
      const lines = this.#sources.lines(url);
      if (!lines) throw new ERR_SOURCE_MAP_MISSING_SOURCE(url, this.#url);
      const startOffset = offsetOf(begin, lines);
      const endOffset = offsetOf(end, lines) + 1;
      if (startOffset < 0 || endOffset < 1) continue;
      for (let i = begin.originalLine; i <= end.originalLine; i++) lines[i].count = range.count;
      mapped.push({ __proto__: null, startOffset, endOffset, count: range.count });
    }
    return url === undefined ? undefined : [url, { __proto__: null, functionName, isBlockCoverage, ranges: mapped }];
  }
}

// `coverage` is the content of a file of coverage, `sources` a SourceTable. -> scripts
function mapScripts(coverage, sources, isSkipped) {
  const { result, 'source-map-cache': maps } = coverage;
  if (!maps) return result;
  const scripts = new Map();
  for (const script of result) {
    const { url, functions } = script;
    if (isSkipped(url) || maps[url] == null) {
      scripts.set(url, script);
      continue;
    }
    const mapped = new MappedScript(url, maps[url], sources);
    for (const each of functions) {
      const [source, found] = mapped.mapFunction(each) ?? [];
      if (source === undefined) continue;
      if (!scripts.has(source)) scripts.set(source, { __proto__: null, url: source, functions: [] });
      scripts.get(source).functions.push(found);
    }
  }
  return [...scripts.values()];
}

module.exports = { mapScripts };
