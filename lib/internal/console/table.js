'use strict';
// console.table: what goes into which column, and the drawing of it.

const { previewEntries } = binding('util');
const { isMap, isMapIterator, isSet, isSetIterator } = require('internal/util/types');
const { getStringWidth } = require('internal/inspect/text');

const kIndex = '(index)';
const kIteration = '(iteration index)';
const kKey = 'Key';
const kValues = 'Values';

function drawRow(cells, widths) {
  const padded = cells.map((cell, i) => ` ${cell}${' '.repeat(widths[i] - getStringWidth(cell))} `);
  return `\u2502${padded.join('\u2502')}\u2502\n`;
}

function drawTable(head, columns) {
  const rowCount = Math.max(...columns.map((column) => column.length));
  const rows = [];
  for (let row = 0; row < rowCount; row++) rows.push(columns.map((column) => column[row] ?? ''));
  const widths = head.map((title, i) => {
    let width = getStringWidth(title);
    for (const row of rows) width = Math.max(width, getStringWidth(row[i]));
    return width;
  });
  const lines = widths.map((width) => '\u2500'.repeat(width + 2));
  let result = `\u250c${lines.join('\u252c')}\u2510\n${drawRow(head, widths)}\u251c${lines.join('\u253c')}\u2524\n`;
  for (const row of rows) result += drawRow(row, widths);
  return `${result}\u2514${lines.join('\u2534')}\u2518`;
}

function indices(count) {
  return Array.from({ length: count }, (_, i) => `${i}`);
}

function mapTable(keys, values, show) {
  return drawTable([kIteration, kKey, kValues],
    [indices(keys.length), keys.map(show), values.map(show)]);
}

function listTable(values, show) {
  return drawTable([kIteration, kValues], [indices(values.length), values.map(show)]);
}

// `show` makes the text of a cell.
function table(data, properties, show) {
  const one = (value) => show(value);
  if (isMap(data)) return mapTable([...data.keys()], [...data.values()], one);
  if (isSet(data)) return listTable([...data], one);
  if (isMapIterator(data) || isSetIterator(data)) {
    const [entries, isKeyValue] = previewEntries(data, true);
    if (!isKeyValue || isSetIterator(data)) return listTable(entries, one);
    return mapTable(entries.filter((_, i) => i % 2 === 0), entries.filter((_, i) => i % 2 === 1), one);
  }

  const rowNames = Object.keys(data);
  const columns = new Map();
  const values = [];
  rowNames.forEach((name, row) => {
    const item = data[name];
    const isPrimitive = item === null || (typeof item !== 'object' && typeof item !== 'function');
    if (isPrimitive) values[row] = show(item);
    for (const key of properties ?? (isPrimitive ? [] : Object.keys(item))) {
      if (!columns.has(key)) columns.set(key, []);
      const column = columns.get(key);
      column[row] = isPrimitive || !Object.hasOwn(item, key) ? '' : show(item[key]);
    }
  });
  // Integer keys come first, as the keys of any object.
  const titles = Object.keys(Object.fromEntries(columns));
  const head = [kIndex, ...titles];
  const cells = [rowNames, ...titles.map((key) => columns.get(key) ?? columns.get(+key))];
  if (values.length !== 0 && properties === undefined) {
    head.push(kValues);
    cells.push(values);
  }
  return drawTable(head, cells);
}

module.exports = { table };
