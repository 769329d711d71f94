'use strict';
// How the entries of an object are put on lines: all on one line when they are few and short, numbers
// and other short array elements in columns, otherwise one entry per line.

const { getStringWidth, removeColors } = require('internal/inspect/text');

const kGroupFrom = 7; // arrays with fewer entries are never set in columns
const kSeparatorWidth = 2; // ", "
const kMostColumns = 15;
const kCharHeight = 2.5; // a character is about that much higher than wide: aims at a square

function fitsOnOneLine(ctx, output, start, base) {
  if (ctx.breakLength === Infinity) {
    return !base.includes('\n') && !output.some((entry) => entry.includes('\n'));
  }
  // Each entry is followed by a separator of at least one character.
  let length = output.length + start;
  if (length + output.length > ctx.breakLength) return false;
  for (let i = 0; i < output.length; i++) {
    length += ctx.colors ? removeColors(output[i]).length : output[i].length;
    if (length > ctx.breakLength) return false;
  }
  return base === '' || !base.includes('\n');
}

function columnCount(ctx, widths, widest, total, entryCount) {
  const cell = widest + kSeparatorWidth;
  const bias = Math.sqrt(cell - total / entryCount);
  const biasedCell = Math.max(cell - 3 - bias, 1);
  return Math.min(
    Math.round(Math.sqrt(kCharHeight * biasedCell * widths.length) / biasedCell),
    Math.floor((ctx.breakLength - ctx.indentation) / cell),
    ctx.compact * 4,
    kMostColumns,
  );
}

// Joins array elements into rows of aligned columns. Numbers are aligned to the right.
function groupInColumns(ctx, output, value) {
  // The last entry may be "... more items", which keeps its own line.
  const count = ctx.maxArrayLength < output.length ? output.length - 1 : output.length;
  const widths = new Array(count);
  let total = 0;
  let widest = 0;
  for (let i = 0; i < count; i++) {
    const width = getStringWidth(output[i], ctx.colors);
    widths[i] = width;
    total += width + kSeparatorWidth;
    if (width > widest) widest = width;
  }
  const cell = widest + kSeparatorWidth;
  // Columns pay off only when at least three fit and the entries are of similar width or short.
  if (cell * 3 + ctx.indentation >= ctx.breakLength) return output;
  if (total / cell <= 5 && widest > 6) return output;
  const columns = columnCount(ctx, widths, widest, total, output.length);
  if (columns <= 1) return output;

  const columnWidths = [];
  for (let column = 0; column < columns; column++) {
    let width = 0;
    for (let i = column; i < count; i += columns) if (widths[i] > width) width = widths[i];
    columnWidths.push(width + kSeparatorWidth);
  }
  const alignRight = value !== undefined && isNumeric(value, output.length);

  const rows = [];
  for (let first = 0; first < count; first += columns) {
    const last = Math.min(first + columns, count) - 1;
    let row = '';
    for (let i = first; i <= last; i++) {
      // What the terminal does not show (colours) must not count as width.
      const invisible = output[i].length - widths[i];
      const width = columnWidths[i - first] + invisible;
      if (i < last) {
        const entry = `${output[i]}, `;
        row += alignRight ? entry.padStart(width) : entry.padEnd(width);
      } else {
        row += alignRight ? output[i].padStart(width - kSeparatorWidth) : output[i];
      }
    }
    rows.push(row);
  }
  if (count < output.length) rows.push(output[count]);
  return rows;
}

function isNumeric(value, length) {
  for (let i = 0; i < length; i++) {
    const type = typeof value[i];
    if (type !== 'number' && type !== 'bigint') return false;
  }
  return true;
}

// Array.prototype.join copies the text, at every level of a deep object again; a sum of strings does not.
function join(output, separator) {
  let text = output.length > 0 ? output[0] : '';
  for (let i = 1; i < output.length; i++) text += separator + output[i];
  return text;
}

// `base` is the text before the braces (a function's name, an error's stack), `depth` the level of the
// object, `value` the array when its entries may be set in columns.
function joinEntries(ctx, output, base, braces, isArrayLike, depth, value) {
  const lead = base === '' ? '' : `${base} `;
  const newline = `\n${' '.repeat(ctx.indentation)}`;
  if (ctx.compact === true) {
    if (fitsOnOneLine(ctx, output, 0, base)) {
      return `${braces[0]}${base === '' ? '' : ` ${base}`} ${output.join(', ')} ${braces[1]}`;
    }
    const opening = base === '' && braces[0].length === 1 ?
      ' ' : `${base === '' ? '' : ` ${base}`}\n${newline.slice(1)}  `;
    return `${braces[0]}${opening}${join(output, `,${newline}  `)} ${braces[1]}`;
  }
  if (typeof ctx.compact === 'number' && ctx.compact >= 1) {
    const count = output.length;
    if (isArrayLike && count >= kGroupFrom) output = groupInColumns(ctx, output, value);
    // The innermost `compact` levels are put on one line if they fit, unless they were set in columns.
    if (ctx.currentDepth - depth < ctx.compact && count === output.length) {
      const start = output.length + ctx.indentation + braces[0].length + base.length + 10;
      if (fitsOnOneLine(ctx, output, start, base)) {
        const joined = output.join(', ');
        if (!joined.includes('\n')) return `${lead}${braces[0]} ${joined} ${braces[1]}`;
      }
    }
  }
  return `${lead}${braces[0]}${newline}  ${join(output, `,${newline}  `)}${newline}${braces[1]}`;
}

module.exports = { joinEntries };
