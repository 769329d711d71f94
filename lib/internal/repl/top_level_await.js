'use strict';
// `await` at the top level of what is typed. The text is put into an async function that is called
// at once; what it declares must outlive that function, so declarations are turned into assignments
// and declared outside:
//
//     const x = await f(); x + 1
//     let x; (async () => { void (x = await f()); return { value: (x + 1) } })()

const { isFunction, namesOf, parse, walk } = require('internal/repl/syntax');

const kBefore = '(async () => { ';
const kAfter = '\n})()';

class Edits {
  constructor(text) {
    this.text = text;
    this.list = [];
  }

  replace(start, end, text) {
    this.list.push({ start, end, text });
  }

  // From the end to the beginning, so that positions stay right; of edits at one position the first
  // one comes first in the text.
  apply() {
    let { text } = this;
    const order = this.list.map((edit, i) => ({ ...edit, i }));
    order.sort((a, b) => b.start - a.start || b.i - a.i);
    for (const { start, end, text: by } of order) text = text.slice(0, start) + by + text.slice(end);
    return text;
  }
}

// Looks at everything that runs as a part of the top level.
function findAwait(body) {
  let found = false;
  let returns = false;
  walk(body, (node) => {
    if (isFunction(node) || node.type === 'StaticBlock') return false;
    if (node.type === 'PropertyDefinition') {
      if (node.computed) walk(node.key, (key) => { found ||= key.type === 'AwaitExpression'; });
      return false;
    }
    if (node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await)) {
      found = true;
    }
    if (node.type === 'ReturnStatement') returns = true;
    return true;
  });
  return found && !returns;
}

// `let a = 1, b` becomes `void (a = 1, b = undefined)`; in the head of a loop only `a` remains.
function assignInstead(edits, node, inHead) {
  const { declarations, kind } = node;
  edits.replace(node.start, declarations[0].start, inHead ? '' : 'void (');
  for (const { id, init, start, end } of declarations) {
    if (init === null && !inHead) {
      edits.replace(end, end, kind === 'var' ? '' : ' = undefined');
    }
    // `({ a } = b)` needs its parentheses where a statement could begin with the brace.
    if (inHead && init !== null && id.type === 'ObjectPattern') {
      edits.replace(start, start, '(');
      edits.replace(end, end, ')');
    }
  }
  if (!inHead) {
    const last = declarations[declarations.length - 1].end;
    edits.replace(last, last, ')');
  }
}

function hoist(edits, body) {
  const names = { let: [], var: [] };
  let functions = '';
  const topLevel = new Set(body.body);

  walk(body, (node) => {
    if (node.type === 'FunctionDeclaration' && topLevel.has(node)) {
      names.var.push(node.id.name);
      functions += `this.${node.id.name} = ${node.id.name}; `;
    } else if (node.type === 'ClassDeclaration' && topLevel.has(node)) {
      names.let.push(node.id.name);
      edits.replace(node.start, node.start, `${node.id.name} = `);
      edits.replace(node.end, node.end, ';');
    }
    if (isFunction(node) || node.type === 'ClassBody') return false;
    const heads = node.type === 'ForStatement' ? node.init :
      /^For(?:In|Of)Statement$/.test(node.type) ? node.left : undefined;
    if (heads?.type === 'VariableDeclaration' && heads.kind === 'var') heads.inHead = true;
    if (node.type === 'VariableDeclaration' && (node.kind === 'var' || topLevel.has(node))) {
      for (const { id } of node.declarations) {
        namesOf(id, names[node.kind === 'var' ? 'var' : 'let']);
      }
      assignInstead(edits, node, node.inHead === true);
    }
    return true;
  });

  let declarations = '';
  for (const kind of ['var', 'let']) {
    if (names[kind].length > 0) declarations += `${kind} ${[...new Set(names[kind])].join(', ')}; `;
  }
  return { declarations, functions };
}

// The program to run instead, whose value is a promise of { value } or of nothing; null if there is
// no await to deal with, or if the text is wrong in any way.
function rewrite(code) {
  const text = kBefore + code + kAfter;
  let program;
  try {
    program = parse(text);
  } catch {
    return null;
  }
  // More than this one statement: the text has closed the function itself.
  if (program.body.length !== 1) return null;
  const { body } = program.body[0].expression?.callee ?? {};
  if (body?.type !== 'BlockStatement' || body.end !== text.length - 3 || !findAwait(body)) {
    return null;
  }

  const edits = new Edits(text);
  const { declarations, functions } = hoist(edits, body);
  const last = body.body[body.body.length - 1];
  if (last.type === 'ExpressionStatement') {
    const { expression } = last;
    edits.replace(last.start, expression.start, 'return { __proto__: null, value: (');
    // What followed the expression, a parenthesis perhaps, stays where it is.
    if (last.start !== expression.start) {
      edits.list[edits.list.length - 1].text += text.slice(last.start, expression.start);
    }
    const semicolon = text[last.end - 1] === ';' ? last.end - 1 : last.end;
    edits.replace(semicolon, last.end, ') }');
  }
  edits.replace(kBefore.length, kBefore.length, functions);
  return declarations + edits.apply();
}

module.exports = { rewrite };
