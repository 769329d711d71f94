'use strict';
// The colours of a command while it is typed: those that util.inspect() gives to such values.

const { withColor } = require('internal/util/inspect');

const kWordStyles = new Map([
  ['undefined', 'undefined'], ['NaN', 'number'], ['Infinity', 'number'], ['Symbol', 'symbol'],
  ['Date', 'date'],
]);
const kKeywordStyles = new Map([
  ['true', 'boolean'], ['false', 'boolean'], ['null', 'null'], ['import', 'module'],
  ['export', 'module'],
]);
const kLiteralStyles = new Map([
  ['num', 'number'], ['bigint', 'bigint'], ['string', 'string'], ['template', 'string'],
  ['`', 'string'], ['regexp', 'regexp'],
]);

function styleOf({ type: { keyword, label }, value }) {
  if (keyword !== undefined) return kKeywordStyles.get(label) ?? 'special';
  return label === 'name' ? kWordStyles.get(value) : kLiteralStyles.get(label);
}

function highlight(code) {
  if (code === '') return code;
  let result = '';
  let done = 0;
  function add(start, end, style) {
    if (style === undefined) return;
    result += code.slice(done, start) + withColor(code.slice(start, end), style);
    done = end;
  }
  try {
    const tokens = require('deps/acorn/dist/acorn').tokenizer(code, {
      allowHashBang: true,
      ecmaVersion: 'latest',
      onComment: (isBlock, text, start, end) => add(start, end, 'undefined'),
    });
    for (let token = tokens.getToken(); token.type.label !== 'eof'; token = tokens.getToken()) {
      add(token.start, token.end, styleOf(token));
    }
  } catch {
    // A string or a comment that has no end yet: what was read before it keeps its colours.
  }
  return result + code.slice(done);
}

module.exports = { highlight };
