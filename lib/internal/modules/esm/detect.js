'use strict';
// Telling an ES module from a CommonJS one by its source, when nothing else says what it is: by
// the errors that compiling it as CommonJS gives.

const { compileCommonJs } = binding('modules');

const kModuleSyntax = new Set([
  'Cannot use import statement outside a module',
  "Unexpected token 'export'",
  "Cannot use 'import.meta' outside a module",
]);

// These are no errors in ES modules, but may be errors for other reasons in both.
const kAwait = 'await is only valid in async functions and the top level bodies of modules';
const kErrorsOfCommonJs = new Set([
  "Identifier '__filename' has already been declared",
  "Identifier '__dirname' has already been declared",
  "Identifier 'exports' has already been declared",
  "Identifier 'module' has already been declared",
  "Identifier 'require' has already been declared",
  kAwait,
]);

// Whether the error of compiling `content` as CommonJS says that it is an ES module.
function isModuleSyntaxError(error, content, filename) {
  if (error?.name !== 'SyntaxError') return false;
  if (kModuleSyntax.has(error.message)) return true;
  return kErrorsOfCommonJs.has(error.message) && compilesInAsyncFunction(content, filename);
}

// There, await is allowed, and variables may have the names of CommonJS's parameters.
function compilesInAsyncFunction(content, filename) {
  try {
    compileCommonJs(`(async function() {${content.replace(/^#!.*/, '')}\n})();`, filename);
    return true;
  } catch (error) {
    return kModuleSyntax.has(error?.message);
  }
}

function isESModule(content, filename = '') {
  try {
    compileCommonJs(content, filename);
    return false;
  } catch (error) {
    return isModuleSyntaxError(error, content, filename);
  }
}

function warnOfModuleSyntax(error, filename) {
  if (!kModuleSyntax.has(error?.message) && error?.message !== kAwait) return;
  const warning = new Error(`Failed to load the ES module: ${filename}. Make sure to set "type": "module" ` +
    'in the nearest package.json file or use the .mjs extension.');
  warning.name = 'Warning';
  // At once: the program is about to end.
  process.emit('warning', warning);
}

module.exports = { isESModule, isModuleSyntaxError, warnOfModuleSyntax };
