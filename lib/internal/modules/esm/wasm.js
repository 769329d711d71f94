'use strict';
// WebAssembly as ES modules: a module of JavaScript whose imports are those of the WebAssembly
// module, and whose exports are set when the instance is made.

const { metaInitializers } = require('internal/modules/esm/hooks');
const { pathOf } = require('internal/modules/esm/formats');
const { emitExperimentalWarning } = require('internal/util');
const { compile, getNamespace, setSource } = binding('module_wrap');

// Namespace of a module -> exports of its instance: what another instance imports is the
// WebAssembly.Global itself, not its value.
const instances = new WeakMap();

function compileBytes(url, bytes) {
  try {
    return new WebAssembly.Module(bytes, {
      builtins: ['js-string'],
      importedStringConstants: 'wasm:js/string-constants',
    });
  } catch (error) {
    error.message = `${url.startsWith('file:') ? pathOf(url) : url}: ${error.message}`;
    throw error;
  }
}

function isReserved(name) {
  return name.startsWith('wasm:') || name.startsWith('wasm-js:');
}

function checkImports(imports, url) {
  for (const { module, name } of imports) {
    if (module.startsWith('wasm-js:')) {
      throw new WebAssembly.LinkError(`Invalid Wasm import "${module}" in ${url}`);
    }
    if (isReserved(name)) {
      throw new WebAssembly.LinkError(`Invalid Wasm import name "${module}" in ${url}`);
    }
  }
}

function checkExports(exports, url) {
  for (const { name } of exports) {
    if (isReserved(name)) {
      throw new WebAssembly.LinkError(`Invalid Wasm export name "${name}" in ${url}`);
    }
  }
}

// Hands the namespaces it imports to import.meta.run(), and sets its variables from the result.
function textFor(specifiers, names) {
  const lines = specifiers.map((specifier, i) =>
    `import * as $import${i} from ${JSON.stringify(specifier)};`);
  names.forEach((name, i) => {
    lines.push(`let $export${i}; export { $export${i} as ${JSON.stringify(name)} };`);
  });
  const imports = specifiers.map((specifier, i) => `$import${i}`).join();
  const setters = names.map((name, i) => `(value) => { $export${i} = value; }`).join();
  lines.push(`import.meta.run([${imports}], [${setters}]);`);
  return lines.join('\n');
}

function importObject(specifiers, namespaces, imports) {
  const object = { __proto__: null };
  specifiers.forEach((specifier, i) => {
    const exports = instances.get(namespaces[i]);
    object[specifier] = namespaces[i];
    if (exports === undefined) return;
    const values = { __proto__: null, ...namespaces[i] };
    for (const { module, name, kind } of imports) {
      if (module === specifier && kind === 'global') values[name] = exports[name];
    }
    object[specifier] = values;
  });
  return object;
}

// -> the handle of the module
function wasmModule(url, bytes) {
  const compiled = compileBytes(url, bytes);
  const imports = WebAssembly.Module.imports(compiled);
  const exports = WebAssembly.Module.exports(compiled);
  checkImports(imports, url);
  checkExports(exports, url);
  const specifiers = [...new Set(imports.map(({ module }) => module))];
  const handle = compile(textFor(specifiers, exports.map(({ name }) => name)), url);

  function run(namespaces, setters) {
    emitExperimentalWarning('Importing WebAssembly module instances');
    const instance = new WebAssembly.Instance(compiled,
      importObject(specifiers, namespaces, imports));
    instances.set(getNamespace(handle), instance.exports);
    exports.forEach(({ name, kind }, i) => {
      const value = instance.exports[name];
      if (kind !== 'global') {
        setters[i](value);
        return;
      }
      try {
        setters[i](value.value);
      } catch {
        // A vector has no value in JavaScript.
      }
    });
  }

  metaInitializers.set(handle, (meta) => { meta.run = run; });
  setSource(handle, compiled);
  return handle;
}

module.exports = { wasmModule };
