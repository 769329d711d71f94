'use strict';
// The ways in which a program begins: a file, the text of -e or of standard input, and the modules
// that come before it (-r, --import).

const path = require('path');
const { Module, kIsExecuting, makeRequire, options, readSource, stripBom } =
  require('internal/modules/cjs/loader');
const { addConditions } = require('internal/modules/conditions');
const files = require('internal/modules/files');
const { kDefaultLoader } = require('internal/modules/esm/import_symbols');
const packageJson = require('internal/modules/package_json');
const { pathToUrl } = require('internal/modules/package_resolve');
const { initPaths } = require('internal/modules/cjs/resolve');
const { ERR_EVAL_ESM_CANNOT_PRINT } = require('internal/errors').codes;
const { getOptionValue } = require('internal/options');

const kUnsettledTopLevelAwait = 13;

// What --import asks for; done before the main program.
const imports = [];

// Called at each start, with what -r and --import name.
function prepare({ require: required, import: imported }) {
  initPaths();
  files.options.preserveSymlinks = getOptionValue('--preserve-symlinks') === true;
  files.options.preserveSymlinksMain = getOptionValue('--preserve-symlinks-main') === true;
  options.requireModule = getOptionValue('--experimental-require-module') !== false;
  options.detectModule = getOptionValue('--experimental-detect-module') !== false;
  packageJson.defaults.type = getOptionValue('--experimental-default-type') ?? 'none';
  addConditions(getOptionValue('--conditions') ?? []);
  if (getOptionValue('--experimental-vm-modules')) {
    const { Module: VmModule, SourceTextModule, SyntheticModule } = require('internal/vm/module');
    Object.assign(require('vm'), { Module: VmModule, SourceTextModule, SyntheticModule });
  }
  imports.push(...imported);
  if (required.length > 0) Module._preloadModules(required);
}

// ---- ES modules ----

function handleProcessExit() {
  process.exitCode ??= kUnsettledTopLevelAwait;
}

function baseUrl() {
  return pathToUrl(`${process.cwd()}/`);
}

// Runs `main` as a promise job, as the body of a module is one. An exception is uncaught at once,
// not a rejection that might still be handled.
async function runAsJob(main) {
  process.on('exit', handleProcessExit);
  try {
    await undefined;
    const loader = require('internal/modules/esm/loader');
    for (const specifier of imports.splice(0)) {
      await loader.importModule(specifier, baseUrl(), undefined);
    }
    await main(loader);
  } catch (error) {
    binding('errors').triggerUncaughtException(error, true);
  } finally {
    process.off('exit', handleProcessExit);
  }
}

// The main program as an ES module, or as whatever its URL leads to.
function runModule(url, source) {
  runAsJob(async (loader) => {
    await loader.waitAsForFile(url);
    return loader.run(loader.load(url, undefined, source, true));
  });
}

// ---- A file ----

function resolveMainPath(main) {
  return Module._findPath(path.resolve(main), null, true) || undefined;
}

function isESModule(file) {
  if (imports.length > 0) return true;
  if (file === undefined || file.endsWith('.cjs')) return false;
  if (file.endsWith('.mjs')) return true;
  return packageJson.typeOf(file) === 'module';
}

// Module.runMain(), which programs may replace before it is called.
function executeUserEntryPoint(main = process.argv[1]) {
  const file = resolveMainPath(main);
  if (file !== undefined && isESModule(file)) runModule(pathToUrl(file));
  else Module._load(main, null, true);
}

function runMain(main) {
  Module.runMain(path.resolve(main));
}

// ---- A text ----

function runModuleText(source) {
  const url = `${pathToUrl(`${workingFolder()}/`)}[eval1]`;
  runAsJob((loader) => loader.run(loader.loadText(source, url)));
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
  return script.runInThisContext({ displayErrors: true });
}

// -e, -p and standard input. Returns the value of a script.
function runInput(source, { name = '[eval]', print = false } = {}) {
  const inputType = getOptionValue('--input-type') ??
    getOptionValue('--experimental-default-type');
  const runAsModule = () => {
    if (print) throw new ERR_EVAL_ESM_CANNOT_PRINT();
    runModuleText(source);
  };
  if (inputType === 'module') return runAsModule();

  const { Script } = require('vm');
  const { rewriteDynamic } = require('internal/modules/esm/import_attributes');
  let script;
  try {
    script = new Script(rewriteDynamic(source, 'script'), {
      filename: name,
      importModuleDynamically: kDefaultLoader,
    });
  } catch (error) {
    const { isModuleSyntaxError } = require('internal/modules/esm/detect');
    if (inputType === undefined && options.detectModule &&
        isModuleSyntaxError(error, source, name)) {
      return runAsModule();
    }
    throw error;
  }
  if (imports.length === 0) return runScriptText(script, name);
  runAsJob(() => runScriptText(script, name));
  return undefined;
}

// ---- Instead of running it ----

function checkSource(source, filename, isModule) {
  if (isModule) {
    binding('module_wrap').compile(source, filename);
    return;
  }
  try {
    binding('modules').compileCommonJs(source, filename);
  } catch (error) {
    const { isModuleSyntaxError } = require('internal/modules/esm/detect');
    const mayBeModule = !filename.endsWith('.cjs') &&
      packageJson.typeOf(filename) === 'none';
    if (!mayBeModule || !options.detectModule || !isModuleSyntaxError(error, source, filename)) {
      throw error;
    }
    checkSource(source, filename, true);
  }
}

// -c: throws if a file, or the text of standard input, does not compile.
function checkSyntax(main, source = undefined) {
  if (imports.length > 0) {
    runAsJob(() => checkSyntax(main, source));
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
  checkSyntax,
  executeUserEntryPoint,
  handleProcessExit,
  prepare,
  runInput,
  Module,
  runMain,
  runModule,
};
