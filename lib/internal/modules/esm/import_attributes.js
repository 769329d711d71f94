'use strict';
// Import attributes are written `with { type: 'json' }`; V8 10.2 knows them by the older word
// `assert`. A source that has them gets that word in place of the other. The parser of acorn
// finds them, so that nothing else is touched; it is asked only when there is reason to.

const kDynamic = /\bimport\s*\([\s\S]*\bwith\b['"]?\s*:/;
const kStatic = /\b(?:import|from)\s*(?:'[^']*'|"[^"]*")\s*with\s*\{/;

// The older word, which acorn does not know.
const kAssert = /(\b(?:import|from)\s*(?:'[^'\n]*'|"[^"\n]*")\s*)assert(?=\s*\{)/g;
const kDynamicAssert = /\bimport\s*\([^;]*?,\s*\{\s*assert\s*:/g;

function parse(source, sourceType) {
  const { parse } = require('deps/acorn/dist/acorn');
  try {
    // Of the same length, so that all places stay the same.
    return parse(source.replace(kAssert, '$1with  '), {
      ecmaVersion: 'latest',
      sourceType,
      allowHashBang: true,
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
    });
  } catch {
    return undefined;
  }
}

function isNode(value) {
  return typeof value === 'object' && value !== null && typeof value.type === 'string';
}

function visit(node, found) {
  found(node);
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) visit(item, found);
    } else if (isNode(value)) {
      visit(value, found);
    }
  }
}

function replaceAt(source, places) {
  places.sort((a, b) => a.start - b.start);
  let result = '';
  let end = 0;
  for (const place of places) {
    result += source.slice(end, place.start) + place.text;
    end = place.end;
  }
  return result + source.slice(end);
}

// The word stands between the specifier and the first attribute.
function placeOfKeyword(source, node) {
  const start = source.indexOf('with', node.source.end);
  return { start, end: start + 4, text: 'assert' };
}

function placeOfKey(options) {
  if (options?.type !== 'ObjectExpression') return undefined;
  const property = options.properties.find(({ key, computed }) =>
    !computed && (key?.name === 'with' || key?.value === 'with'));
  if (property === undefined) return undefined;
  return { start: property.key.start, end: property.key.end, text: 'assert' };
}

function rewrite(source, sourceType) {
  const tree = parse(source, sourceType);
  if (tree === undefined) return undefined;
  const places = [];
  visit(tree, (node) => {
    if (node.type === 'ImportExpression') {
      const place = placeOfKey(node.options);
      if (place !== undefined) places.push(place);
    } else if (node.attributes?.length > 0 && node.source &&
               /^\s*with\b/.test(source.slice(node.source.end))) {
      places.push(placeOfKeyword(source, node));
    }
  });
  return places.length > 0 ? replaceAt(source, places) : undefined;
}

// import('./a.json', { with: { type: 'json' } })
function rewriteDynamic(source, sourceType = 'module') {
  if (!source.includes('with') || !kDynamic.test(source)) return source;
  return rewrite(source, sourceType) ?? source;
}

// import a from './a.json' with { type: 'json' }; undefined if `error` has another cause.
function rewriteStatic(source, error) {
  if (error?.message !== "Unexpected token 'with'" || !kStatic.test(source)) return undefined;
  return rewrite(source, 'module');
}

// As V8 does that knows both words.
function warnOfAssert(source, name) {
  if (!source.includes('assert')) return;
  const places = [...source.matchAll(kAssert), ...source.matchAll(kDynamicAssert)];
  places.forEach(({ 0: text, index }) => {
    const line = source.slice(0, index + text.length).split('\n').length;
    process.emitWarning(`${name}:${line} 'assert' is deprecated in import statements and ` +
      "support will be removed in a future version; use 'with' instead", 'V8');
  });
}

module.exports = { rewriteDynamic, rewriteStatic, warnOfAssert };
