'use strict';
// The lines of a source, and which of them a piece of code (a range of offsets, with how often it ran) covers.

const kBreak = /(?<=\r?\n)/;
const kEnding = /\r?\n$/;
const kSkip = /\/\* node:coverage ignore next (?:(\d+) )?\*\//;
const kSwitch = /\/\* node:coverage (enable|disable) \*\//;

// `end` is without the line break. An empty line counts as covered.
function makeLine(number, start, end) {
  return { __proto__: null, number, start, end, text: null, isIgnored: false, count: start === end ? 1 : 0 };
}

// Comments of the program say what is to be ignored.
function splitLines(source) {
  let offset = 0;
  let toSkip = 0;
  let isOn = true;
  return source.split(kBreak).map((text, index) => {
    const line = makeLine(index + 1, offset, offset + text.length - (kEnding.exec(text)?.[0].length ?? 0));
    line.text = text;
    offset += text.length;
    if (toSkip > 0 || !isOn) line.isIgnored = true;
    if (toSkip > 0) toSkip--;
    else if (!line.isIgnored) toSkip = skippedAfter(text);
    const command = kSwitch.exec(text)?.[1];
    if (command !== undefined) {
      toSkip = 0;
      isOn = command === 'enable';
    }
    return line;
  });
}

function skippedAfter(text) {
  const match = kSkip.exec(text);
  return match === null ? 0 : Number(match[1] ?? 1);
}

// The lines of generated code, of which only the lengths are known.
function linesOfLengths(lengths) {
  let offset = 0;
  return lengths.map((length, index) => {
    const line = makeLine(index + 1, offset, offset + length + 1);
    offset = line.end;
    return line;
  });
}

// The index of a line with this offset; -1 in a line break.
function findLine(lines, offset) {
  let low = 0;
  let high = lines.length;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const line = lines[middle];
    if (offset >= line?.start && offset <= line.end) return middle;
    if (offset >= line?.end) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

// -> the lines that the range touches. Those that lie in it have its count from now on.
function coverLines({ startOffset, endOffset, count }, lines) {
  const first = findLine(lines, startOffset);
  const touched = [];
  if (first === -1) return touched;
  for (let i = first; i < lines.length && endOffset > lines[i].start; i++) {
    const line = lines[i];
    if (startOffset <= line.start && endOffset >= line.end) line.count = count;
    touched.push(line);
  }
  return touched;
}

module.exports = { coverLines, linesOfLengths, splitLines };
