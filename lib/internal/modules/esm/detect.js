'use strict';
// Telling an ES module from a CommonJS one by its source, when nothing else says what it is: by
// the errors that compiling it as CommonJS gives.

const { compileCommonJs } = binding('modules');
const { compile: compileModule } = binding('module_wrap');

const kModuleSyntax = new Set([
  'Cannot use import statement outside a module',
  "Unexpected token 'export'",
  "Cannot use 'import.meta' outside a module",
]);


// Whether the error of compiling `content` as CommonJS says that it is an ES module.
function isModuleSyntaxError(error, content, filename) {
  if (error?.name !== 'SyntaxError') return false;
  if (kModuleSyntax.has(error.message)) return true;
  return compilesAsModule(content, filename);
}

// Modules may await, and have variables with the names of CommonJS's parameters.
function compilesAsModule(content, filename) {
  try {
    compileModule(content, filename);
    return true;
  } catch {
    return false;
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

function warnOfModuleSyntax(error, content, filename) {
  if (!isModuleSyntaxError(error, content, filename)) return;
  const warning = new Error(`Failed to load the ES module: ${filename}. Make sure to set "type": "module" ` +
    'in the nearest package.json file or use the .mjs extension.');
  warning.name = 'Warning';
  // At once: the program is about to end.
  process.emit('warning', warning);
}

module.exports = { isESModule, isModuleSyntaxError, warnOfModuleSyntax };
