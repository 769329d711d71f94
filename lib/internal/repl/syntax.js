'use strict';
// Questions about the text of a program: is it complete, could more lines complete it, what does
// it declare.

let acorn;
function loadAcorn() {
  acorn ??= require('deps/acorn/dist/acorn');
  return acorn;
}

const kOptions = {
  ecmaVersion: 'latest',
  allowAwaitOutsideFunction: true,
  allowHashBang: true,
  allowReturnOutsideFunction: false,
};

// Calls `visit(node)` for a node and what is inside it; inside of what it says `false` to is not
// looked at.
function walk(node, visit) {
  if (visit(node) === false) return;
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (Array.isArray(value)) {
      for (const item of value) {
        if (item !== null && typeof item?.type === 'string') walk(item, visit);
      }
    } else if (value !== null && typeof value?.type === 'string') {
      walk(value, visit);
    }
  }
}

function isFunction(node) {
  return node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression';
}

// The names that a pattern binds: `a`, `{ a, b: [c] }`, `...rest`.
function namesOf(pattern, names = []) {
  switch (pattern?.type) {
    case 'Identifier':
      names.push(pattern.name);
      break;
    case 'ObjectPattern':
      for (const property of pattern.properties) namesOf(property.value ?? property, names);
      break;
    case 'ArrayPattern':
      for (const element of pattern.elements) namesOf(element, names);
      break;
    case 'AssignmentPattern':
      namesOf(pattern.left, names);
      break;
    case 'RestElement':
      namesOf(pattern.argument, names);
      break;
  }
  return names;
}

function parse(code, options) {
  return loadAcorn().parse(code, { ...kOptions, ...options });
}

// ---- Can more lines complete it? ----

function fail(message, atEnd) {
  throw Object.assign(new SyntaxError(message), { atEnd });
}

let RecoveringParser;
function recoveringParser() {
  const { Parser, tokTypes } = loadAcorn();
  RecoveringParser ??= class extends Parser {
    // What was opened must be closed: these can continue for lines. A string can only where the line
    // ends with a backslash.
    raise(position, message) {
      const atEnd = message === 'Unterminated template' || message === 'Unterminated comment' ||
        (message === 'Unterminated string constant' && /\\\r?\n$/.test(this.input)) ||
        (message === 'Missing catch or finally clause' && this.type === tokTypes.eof);
      fail(message, atEnd);
    }

    // A name declared twice and the like: wrong, but the rest can still be read.
    raiseRecoverable() {}

    unexpected(position = this.start) {
      fail('Unexpected token', this.type === tokTypes.eof && position === this.start);
    }
  };
  return RecoveringParser;
}

// True if `code` is wrong only because it ends too soon. What begins with a brace can be a block, or
// an object, which is read as an expression.
function isRecoverable(code) {
  if (/^\s*\{/.test(code) && isRecoverable(`(${code}`)) return true;
  const parser = recoveringParser();
  try {
    parser.parse(code, kOptions);
    return false;
  } catch (error) {
    return error.atEnd === true;
  }
}

function isValidSyntax(code) {
  try {
    parse(code);
    return true;
  } catch {
    try {
      parse(`_=${code}`);
      return true;
    } catch {
      return false;
    }
  }
}

// ---- What does it declare? ----

// The let, const and class of the top level: no object has them as properties.
function lexicalNames(code) {
  const names = [];
  let program;
  try {
    program = parse(code);
  } catch {
    return names;
  }
  for (const statement of program.body) {
    if (statement.type === 'ClassDeclaration') {
      names.push(statement.id.name);
    } else if (statement.type === 'VariableDeclaration' && statement.kind !== 'var') {
      for (const declaration of statement.declarations) namesOf(declaration.id, names);
    }
  }
  return names;
}

// What to write instead of an import statement, which only modules can have.
function dynamicImportFor(code) {
  let program;
  try {
    program = parse(code, { sourceType: 'module' });
  } catch {
    return '';
  }
  return program.body.filter((node) => node.type === 'ImportDeclaration').map((node) => {
    const request = `await import(${JSON.stringify(node.source.value)});`;
    const names = [];
    for (const { type, local, imported } of node.specifiers) {
      if (type === 'ImportNamespaceSpecifier') return `const ${local.name} = ${request}`;
      const name = type === 'ImportDefaultSpecifier' ? 'default' : imported.name;
      names.push(name === local.name ? name : `${name}: ${local.name}`);
    }
    return names.length === 0 ? request : `const { ${names.join(', ')} } = ${request}`;
  }).join('');
}

module.exports = {
  dynamicImportFor, isFunction, isRecoverable, isValidSyntax, lexicalNames, namesOf, parse, walk,
};
