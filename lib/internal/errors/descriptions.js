'use strict';
// The messages of errors that take more than filling an argument in: what was expected, what was
// received, how a package went wrong.

function inspect(value, options) {
  return require('internal/util/inspect').inspect(value, options);
}

// 'a', 'a and b', 'a, b, and c'
function formatList(items, conjunction = 'and') {
  switch (items.length) {
    case 0: return '';
    case 1: return `${items[0]}`;
    case 2: return `${items[0]} ${conjunction} ${items[1]}`;
    default: return `${items.slice(0, -1).join(', ')}, ${conjunction} ${items[items.length - 1]}`;
  }
}

// "type number (1)", "an instance of Foo", "undefined"
function receivedValue(value) {
  switch (typeof value) {
    case 'undefined':
      return 'undefined';
    case 'function':
      return `function ${value.name}`;
    case 'object': {
      if (value === null) return 'null';
      const { constructor } = value;
      const named = (typeof constructor === 'object' && constructor !== null) ||
        typeof constructor === 'function';
      if (named && 'name' in constructor) return `an instance of ${constructor.name}`;
      return inspect(value, { depth: -1 });
    }
    case 'string': {
      const shown = value.length > 28 ? `${value.slice(0, 25)}...` : value;
      return `type string (${shown.includes("'") ? JSON.stringify(shown) : `'${shown}'`})`;
    }
    case 'bigint':
      return `type bigint (${value}n)`;
    case 'symbol':
      return `type symbol (${String(value)})`;
    default:
      return `type ${typeof value} (${Object.is(value, -0) ? '-0' : value})`;
  }
}

const kPrimitiveTypes = new Set([
  'string', 'function', 'number', 'object', 'Function', 'Object', 'boolean', 'bigint', 'symbol',
]);
const kClassName = /^[A-Z][a-zA-Z0-9]*$/;

// "of type string or an instance of Buffer or URL"
function expectedTypes(expected) {
  const types = [];
  const classes = [];
  const others = [];
  for (const name of expected) {
    if (kPrimitiveTypes.has(name)) types.push(name.toLowerCase());
    else if (kClassName.test(name)) classes.push(name);
    else others.push(name);
  }
  // Beside class names, "object" reads as one more class.
  if (classes.length > 0 && types.includes('object')) {
    types.splice(types.indexOf('object'), 1);
    classes.push('Object');
  }

  const parts = [];
  if (types.length > 0) {
    parts.push(`${types.length > 1 ? 'one of type' : 'of type'} ${formatList(types, 'or')}`);
  }
  if (classes.length > 0) parts.push(`an instance of ${formatList(classes, 'or')}`);
  if (others.length > 1) {
    parts.push(`one of ${formatList(others, 'or')}`);
  } else if (others.length === 1) {
    const [name] = others;
    parts.push(name.toLowerCase() === name ? name : `an ${name}`);
  }
  return parts.join(' or ');
}

function invalidArgType(name, expected, actual) {
  const subject = name.endsWith(' argument') ? name :
    `"${name}" ${name.includes('.') ? 'property' : 'argument'}`;
  const types = expectedTypes(Array.isArray(expected) ? expected : [expected]);
  return `The ${subject} must be ${types}. Received ${receivedValue(actual)}`;
}

function invalidArgValue(name, value, reason = 'is invalid') {
  let shown = inspect(value);
  if (shown.length > 128) shown = `${shown.slice(0, 128)}...`;
  const kind = name.includes('.') ? 'property' : 'argument';
  return `The ${kind} '${name}' ${reason}. Received ${shown}`;
}

function missingArgs(...names) {
  const quoted = names.map((name) => (Array.isArray(name) ?
    name.map((alternative) => `"${alternative}"`).join(' or ') : `"${name}"`));
  return `The ${formatList(quoted)} argument${names.length > 1 ? 's' : ''} must be specified`;
}

// 1234567 -> 1_234_567, as Node writes numbers too large to be read at a glance.
function withSeparators(digits) {
  const sign = digits.startsWith('-') ? '-' : '';
  let rest = digits.slice(sign.length);
  let grouped = '';
  while (rest.length > 3) {
    grouped = `_${rest.slice(-3)}${grouped}`;
    rest = rest.slice(0, -3);
  }
  return sign + rest + grouped;
}

function outOfRange(name, range, value, nameIsWholeMessage = false) {
  const subject = nameIsWholeMessage ? name : `The value of "${name}" is out of range.`;
  let received;
  if (Number.isInteger(value) && Math.abs(value) > 2 ** 32) {
    received = withSeparators(String(value));
  } else if (typeof value === 'bigint') {
    const large = value > 2n ** 32n || value < -(2n ** 32n);
    received = `${large ? withSeparators(String(value)) : value}n`;
  } else {
    received = inspect(value);
  }
  return `${subject} It must be ${range}. Received ${received}`;
}

function invalidPackageTarget(packagePath, key, target, isImport = false, base = undefined) {
  const field = isImport ? 'imports' : 'exports';
  const relativeMissing = typeof target === 'string' && !isImport && target.length > 0 &&
    !target.startsWith('./');
  return `Invalid "${field}" ` +
    (key === '.' ? `main target ${JSON.stringify(target)} defined` :
      `target ${JSON.stringify(target)} defined for '${key}'`) +
    ` in the package config ${packagePath}package.json` +
    (base ? ` imported from ${base}` : '') +
    (relativeMissing ? '; targets must start with "./"' : '');
}

function requireOfESModule(filename, hasEsmSyntax, parentPath = null, packageJsonPath = null) {
  const message = `require() of ES Module ${filename}${parentPath ? ` from ${parentPath}` : ''} ` +
    'not supported.';
  const toDynamicImport = 'to a dynamic import() which is available in all CommonJS modules.';
  if (!packageJsonPath) {
    return filename.endsWith('.mjs') ?
      `${message}\nInstead change the require of ${filename} ${toDynamicImport}` : message;
  }
  const { basename } = require('path');
  // Two files of one name are distinguished by their whole path.
  const file = parentPath && basename(filename) === basename(parentPath) ?
    filename : basename(filename);
  if (hasEsmSyntax) {
    return `${message}\nInstead change the require of ${file} in ${parentPath} ${toDynamicImport}`;
  }
  return `${message}\n${file} is treated as an ES module file as it is a .js file whose nearest ` +
    'parent package.json contains "type": "module" which declares all .js files in that package ' +
    `scope as ES modules.\nInstead either rename ${file} to end in .cjs, change the requiring ` +
    'code to use dynamic import() which is available in all CommonJS modules, or change ' +
    `"type": "module" to "type": "commonjs" in ${packageJsonPath} to treat all .js files as ` +
    'CommonJS (using .mjs for all ES modules instead).\n';
}

module.exports = {
  formatList,
  inspect,
  invalidArgType,
  invalidArgValue,
  invalidPackageTarget,
  missingArgs,
  outOfRange,
  receivedValue,
  requireOfESModule,
};
