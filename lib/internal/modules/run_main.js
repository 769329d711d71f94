'use strict';
// The ways in which a program begins: a file, the text of -e or of standard input, and the modules
// that come before it (-r, --import).

const path = require('path');
const { firstLine, kIsProgram } = require('internal/inspector/first_line');
const { Module, checkCommonJs, isWatched, kIsExecuting, loadWatched, makeRequire, options, readSource, stripBom } =
  require('internal/modules/cjs/loader');
const files = require('internal/modules/files');
const { kDefaultLoader } = require('internal/modules/esm/import_symbols');
const packageJson = require('internal/modules/package_json');
const packageMap = require('internal/modules/package_map');
const { pathToUrl } = require('internal/modules/package_resolve');
const { initPaths } = require('internal/modules/cjs/resolve');
const { ERR_EVAL_ESM_CANNOT_PRINT } = require('internal/errors').codes;
const { getOptionValue } = require('internal/options');

// What --import and --experimental-loader ask for; done before the main program.
const imports = [];
const loaders = [];

// As a part of a data: URL between single quotes.
function quote(text) {
  return encodeURIComponent(JSON.stringify(text)).replaceAll("'", '%27').replaceAll('%22', '"')
    .replaceAll('%2F', '/');
}

// The thread of the hooks that the command line asks for. It loads them itself.
function startHooks() {
  const calls = loaders.map((specifier) => `register(${quote(specifier)}, pathToFileURL("./"))`);
  process.emitWarning('`--experimental-loader` may be removed in the future; instead use ' +
    '`register()`:\n--import \'data:text/javascript,import { register } from "node:module"; ' +
    `import { pathToFileURL } from "node:url"; ${calls.join('; ')};'`, 'ExperimentalWarning');
  loaders.length = 0;
  const { hooksThread } = require('internal/modules/esm/hooks_thread');
  const thread = hooksThread();
  // What is imported waits for it anyway.
  if (imports.length === 0) thread.whenReady();
}

// Called at each start, with what -r and --import name.
function prepare({ require: required, import: imported }) {
  initPaths();
  if (process.env.NODE_DEBUG) require('internal/modules/cjs/load_times').start();
  files.options.preserveSymlinks = getOptionValue('--preserve-symlinks') === true;
  files.options.preserveSymlinksMain = getOptionValue('--preserve-symlinks-main') === true;
  packageMap.state.file = getOptionValue('--experimental-package-map');
  options.requireModule = getOptionValue('--require-module') !== false;
  options.detectModule = getOptionValue('--experimental-detect-module') !== false;
  options.stripTypes = getOptionValue('--strip-types') !== false;
  if (getOptionValue('--experimental-vm-modules')) {
    const { Module: VmModule, SourceTextModule, SyntheticModule } = require('internal/vm/module');
    Object.assign(require('vm'), { Module: VmModule, SourceTextModule, SyntheticModule });
  }
  if (process.env.NODE_COMPILE_CACHE) {
    require('internal/modules/compile_cache').enableCompileCache();
  }
  imports.push(...imported);
  loaders.push(...getOptionValue('--experimental-loader') ?? []);
  if (required.length > 0) Module._preloadModules(required);
  if (getOptionValue('--frozen-intrinsics') === true) require('internal/frozen_intrinsics')();
}

// ---- ES modules ----

// Whether the program was handed to the loader of ES modules, and has not come to its end.
let isRunning = false;

// At the end of the loop: whether a top-level await of the program is still pending. Says where.
function reportUnsettledAwaits() {
  const record = isRunning ? require('internal/modules/esm/loader').main.record : undefined;
  if (record === undefined) return false;
  const places = binding('module_wrap').stalledAwaits(record.handle);
  if (getOptionValue('--warnings') !== false) {
    for (const place of places) {
      binding('process_methods')._rawDebug(`Warning: Detected unsettled top-level await at ${place}\n\n`);
    }
  }
  return places.length > 0;
}

function baseUrl() {
  return pathToUrl(`${process.cwd()}/`);
}

// An exception is uncaught at once, not a rejection that might still be handled.
async function runWithLoader(main) {
  isRunning = true;
  try {
    const loader = require('internal/modules/esm/loader');
    if (loaders.length > 0) startHooks();
    for (const specifier of imports.splice(0)) {
      await loader.importModule(specifier, baseUrl(), undefined);
    }
    await main(loader);
  } catch (error) {
    binding('errors').triggerUncaughtException(error, true);
  } finally {
    isRunning = false;
  }
}

// The main program as an ES module, or as whatever its URL leads to.
function runModule(url, source) {
  runWithLoader((loader) => loader.importModule(url, undefined, undefined, undefined,
    { __proto__: null, source, isMain: true }));
}

// ---- A file ----

function resolveMainPath(main) {
  return Module._findPath(path.resolve(main), null, true) || undefined;
}

function isESModule(file) {
  if (imports.length > 0 || loaders.length > 0) return true;
  if (file === undefined || file.endsWith('.cjs')) return false;
  if (file.endsWith('.mjs') || file.endsWith('.wasm')) return true;
  if (options.stripTypes) {
    if (file.endsWith('.cts')) return false;
    if (file.endsWith('.mts')) return true;
  }
  return packageJson.typeOf(file) === 'module';
}

// Module.runMain(), which programs may replace before it is called.
function executeUserEntryPoint(main = process.argv[1]) {
  if (getOptionValue('--entry-url') === true) {
    require('internal/util').emitExperimentalWarning('--entry-url');
    const { URL } = require('internal/url');
    runModule(new URL(main, baseUrl()).href);
    return;
  }
  const file = resolveMainPath(main);
  if (isESModule(file)) runModule(pathToUrl(file ?? path.resolve(main)));
  else if (isWatched()) loadWatched(main, null, true);
  else Module._load(main, null, true);
}

function runMain(main) {
  Module.runMain(getOptionValue('--entry-url') === true ? main : path.resolve(main));
}

// ---- A text ----

function runModuleText(source, isDetected = false) {
  firstLine.isWanted = false; // of a file or a script, as in Node
  const url = `${pathToUrl(`${workingFolder()}/`)}[eval1]`;
  runWithLoader((loader) => loader.importText(source, url, isDetected));
}

// The working folder may have been removed: then anything that exists will do.
function workingFolder() {
  try {
    return process.cwd();
  } catch {
    return path.dirname(process.execPath);
  }
}

// As a script: its variables are global, and it has `require` and the rest as globals.
function runScriptText(script, name) {
  const module = new Module(name);
  const folder = workingFolder();
  module.filename = path.join(folder, name);
  module.paths = Module._nodeModulePaths(folder);
  module[kIsExecuting] = false;
  const globals = {
    __filename: name,
    module,
    exports: module.exports,
    __dirname: '.',
    require: makeRequire(module),
  };
  for (const key of Object.keys(globals)) {
    Object.defineProperty(globalThis, key, {
      __proto__: null, value: globals[key], writable: true, configurable: true, enumerable: true,
    });
  }
  if (name === '[eval]') require('internal/repl/builtin_globals').addBuiltinGlobals(globalThis, globals.require);
  return script.runInThisContext({ displayErrors: true, [kIsProgram]: true });
}

// -e, -p and standard input. `print` is called with the value of a script.
function runInput(source, { name = '[eval]', print = undefined } = {}) {
  const inputType = getOptionValue('--input-type');
  const runAsModule = (text, isDetected) => {
    if (print !== undefined) throw new ERR_EVAL_ESM_CANNOT_PRINT();
    runModuleText(text, isDetected);
  };
  const runAsScript = (script) => {
    const value = runScriptText(script, name);
    print?.(value);
  };
  if (inputType?.endsWith('-typescript')) {
    source = require('internal/modules/typescript').stripModuleTypes(source, name);
  }
  if (inputType?.startsWith('module')) {
    runAsModule(source);
    return;
  }
  if (name === '[eval]' && /\bcrypto\b/.test(source)) source = withCrypto(source, print !== undefined);

  const mayBeModule = inputType === undefined && options.detectModule;
  const mayHaveTypes = inputType === undefined && options.stripTypes;
  let compiled = compileInput(source, name, mayBeModule);
  if (compiled.error !== undefined && mayHaveTypes) compiled = compileTyped(compiled, source, name);
  if (compiled.error !== undefined) throw compiled.error;
  if (compiled.script === undefined) runAsModule(compiled.text, true);
  else if (imports.length === 0 && loaders.length === 0) runAsScript(compiled.script);
  else runWithLoader(() => runAsScript(compiled.script));
}

// The text of -e and -p that names `crypto` means the module, not the global of that name. The columns in stacks show it.
function withCrypto(text, print) {
  return print ? `let crypto=require("node:crypto");{${text}}` : `(crypto=>{{${text}}})(require('node:crypto'))`;
}

// { script }, { text } of an ES module, or { error }
function compileInput(text, name, mayBeModule) {
  const { Script } = require('vm');
  try {
    return { script: new Script(text, {
      filename: name,
      importModuleDynamically: kDefaultLoader,
    }) };
  } catch (error) {
    if (!mayBeModule) return { error };
    const { isModuleSyntaxError } = require('internal/modules/esm/detect');
    return isModuleSyntaxError(error, text, name) ? { text: typed(text, name) } : { error };
  }
}

// The text of an ES module, which may have types.
function typed(text, name) {
  if (!options.stripTypes) return text;
  let failure;
  try {
    binding('module_wrap').compile(text, name);
    return text;
  } catch (error) {
    failure = error;
  }
  return strip(text, name, (message) => {
    failure.stack = `${message}\n\n${failure.stack}`;
    throw failure;
  });
}

// The text without its types. `fail` is called with the reason if it cannot be.
function strip(text, name, fail) {
  try {
    return require('internal/modules/typescript').stripModuleTypes(text, name);
  } catch (error) {
    if (error.code !== 'ERR_INVALID_TYPESCRIPT_SYNTAX' &&
        error.code !== 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') throw error;
    return fail(error.message);
  }
}

// What could not be compiled may be TypeScript. If it is not, the error stays that of JavaScript,
// with a word on the other.
function compileTyped(compiled, source, name) {
  let explanation;
  const text = strip(source, name, (message) => { explanation = message; });
  if (explanation === undefined) return compileInput(text, name, options.detectModule);
  const { error } = compiled;
  binding('modules').decorateStack(error);
  const lines = error.stack.split('\n');
  lines.splice(3, 0, explanation);
  error.stack = lines.join('\n');
  return compiled;
}

// ---- Files of tests ----

// --test. What --import names is for the processes of the files.
function runTests() {
  require('internal/test_runner/run/run').runCommandLine();
}

// What -r and --import name, for tests that run in this process.
async function preload(base) {
  const required = getOptionValue('--require') ?? [];
  if (required.length > 0) Module._preloadModules(required);
  const { importModule } = require('internal/modules/esm/loader');
  for (const specifier of getOptionValue('--import') ?? []) {
    await importModule(specifier, base, undefined);
  }
}

// ---- Instead of running it ----

function checkSource(source, filename, isModule) {
  if (isModule) {
    binding('module_wrap').compile(source, filename);
    return;
  }
  try {
    checkCommonJs(source, filename);
  } catch (error) {
    const { isModuleSyntaxError, warnOfModuleSyntax } = require('internal/modules/esm/detect');
    const mayBeModule = !filename.endsWith('.cjs') &&
      packageJson.typeOf(filename) === 'none';
    if (!mayBeModule || !options.detectModule || !isModuleSyntaxError(error, source, filename)) {
      warnOfModuleSyntax(error, source, filename);
      throw error;
    }
    checkSource(source, filename, true);
  }
}

// -c: throws if a file, or the text of standard input, does not compile.
function checkSyntax(main, source = undefined) {
  if (imports.length > 0) {
    runWithLoader(() => checkSyntax(main, source));
    return;
  }
  if (source !== undefined) {
    checkSource(source, main, getOptionValue('--input-type') === 'module');
    return;
  }
  const file = resolveMainPath(main) ?? Module._resolveFilename(path.resolve(main), null, true);
  checkSource(stripBom(readSource(file)), file, isESModule(file));
}

module.exports = {
  baseUrl,
  checkSyntax,
  executeUserEntryPoint,
  preload,
  prepare,
  reportUnsettledAwaits,
  runInput,
  Module,
  runMain,
  runModule,
  runTests,
};
