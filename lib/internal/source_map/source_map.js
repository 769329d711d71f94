'use strict';
// Source maps (version 3): from positions in generated code to source locations.

const { validateObject } = require('internal/validators');

const kDigits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const digitValues = new Map([...kDigits].map((digit, value) => [digit, value]));

// The numbers of one segment: base 64, the lowest digits first, the lowest bit the sign.
function decodeNumbers(segment) {
  const numbers = [];
  let value = 0;
  let shift = 0;
  for (const character of segment) {
    const digit = digitValues.get(character) ?? 0;
    value |= (digit & 31) << shift;
    if (digit & 32) {
      shift += 5;
      continue;
    }
    const magnitude = value >>> 1;
    if (value & 1) numbers.push(magnitude === 0 ? -2147483648 : -magnitude);
    else numbers.push(magnitude);
    value = 0;
    shift = 0;
  }
  return numbers;
}

// Mappings are [line, column, source, line, column, name], the position in the generated file first.
function readMappings(map, lineOffset, columnOffset, mappings) {
  const sources = map.sources ?? [];
  const names = map.names ?? [];
  let source = 0;
  let sourceLine = 0;
  let sourceColumn = 0;
  let name = 0;
  let end = -1; // of the segment, in the text
  map.mappings.split(';').forEach((line, number) => {
    let column = number === 0 ? columnOffset : 0;
    for (const segment of line.split(',')) {
      end += segment.length + 1;
      if (segment === '') continue;
      const numbers = decodeNumbers(segment);
      // As in Node, the numbers that the last segment of all does not have are 0.
      if (end === map.mappings.length) {
        while (numbers.length < 5) numbers.push(0);
      }
      const hasName = numbers.length > 4;
      column += numbers[0];
      if (numbers.length === 1) {
        mappings.push([number + lineOffset, column]);
        continue;
      }
      source += numbers[1];
      sourceLine += numbers[2];
      sourceColumn += numbers[3];
      if (hasName) name += numbers[4];
      mappings.push([number + lineOffset, column, sources[source], sourceLine, sourceColumn,
        hasName ? names[name] : undefined]);
    }
  });
}

function clonePayload(payload) {
  validateObject(payload, 'payload');
  const copy = { ...payload };
  for (const key of Object.keys(copy)) {
    if (Array.isArray(copy[key])) copy[key] = [...copy[key]];
  }
  if (copy.sections) {
    copy.sections = copy.sections.map((section) =>
      ({ offset: { ...section.offset }, map: clonePayload(section.map) }));
  }
  return copy;
}

class SourceMap {
  #payload;
  #mappings = [];
  #lineLengths = undefined;

  constructor(payload, { lineLengths } = {}) {
    this.#payload = clonePayload(payload);
    const sections = payload.sections ?? [{ offset: { line: 0, column: 0 }, map: payload }];
    for (const { offset, map } of sections) {
      readMappings(map, offset.line, offset.column, this.#mappings);
    }
    this.#mappings.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    if (Array.isArray(lineLengths)) this.#lineLengths = [...lineLengths];
  }

  get payload() {
    return clonePayload(this.#payload);
  }

  get lineLengths() {
    return this.#lineLengths && [...this.#lineLengths];
  }

  // The mapping that covers a position in the generated file, counted from 0.
  findEntry(lineOffset, columnOffset) {
    let low = 0;
    let high = this.#mappings.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const [line, column] = this.#mappings[middle];
      if (line < lineOffset || (line === lineOffset && column <= columnOffset)) low = middle + 1;
      else high = middle;
    }
    const mapping = this.#mappings[low - 1];
    if (mapping === undefined) return {};
    return {
      generatedLine: mapping[0],
      generatedColumn: mapping[1],
      originalSource: mapping[2],
      originalLine: mapping[3],
      originalColumn: mapping[4],
      name: mapping[5],
    };
  }

  // The same, counted from 1, with the exact source location.
  findOrigin(lineNumber, columnNumber) {
    const entry = this.findEntry(lineNumber - 1, columnNumber - 1);
    if (entry.originalSource === undefined || entry.originalLine === undefined ||
        entry.originalColumn === undefined) {
      return {};
    }
    return {
      name: entry.name,
      fileName: entry.originalSource,
      lineNumber: entry.originalLine + lineNumber - entry.generatedLine,
      columnNumber: entry.originalColumn + columnNumber - entry.generatedColumn,
    };
  }
}

module.exports = { SourceMap };
