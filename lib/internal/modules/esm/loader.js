'use strict';
// The loader of ES modules. A graph is loaded, linked and instantiated in one go, and then
// evaluated; what waits is only evaluation (top-level await), and, for import(), a while before
// files are read, as if they were read in the background.

const { callForLens } = require('internal/async_hooks');
const forgetMatches = require('internal/util/forget_matches');
const { readSource } = require('internal/modules/cjs/loader');
const { describe, needsSource, pathOf, typeAttribute, validateScheme, validateType } =
  require('internal/modules/esm/formats');
const { resolve } = require('internal/modules/esm/resolve');
const {
  compile, evaluate, getNamespace, instantiate, link, requests,
} = binding('module_wrap');
const { decorateStack, sourceLine } = binding('modules');

// URL -> { url, format, handle, isLinked, imports }; `imports` is a list of the specifiers.
const records = new Map();
const recordsByHandle = new Map();
const resolved = new Map(); // "specifier\0base" -> URL
const failures = new Map(); // "type\0URL" -> the error of what could not be loaded

function resolveCached(specifier, base) {
  const key = `${specifier}\x00${base}`;
  let url = resolved.get(key);
  if (url === undefined) {
    url = resolve(specifier, base);
    resolved.set(key, url);
  }
  return url;
}

function compileSource(source, url) {
  const attributes = require('internal/modules/esm/import_attributes');
  attributes.warnOfAssert(source, url);
  source = attributes.rewriteDynamic(source);
  try {
    return compile(source, url);
  } catch (error) {
    const rewritten = attributes.rewriteStatic(source, error);
    if (rewritten === undefined) throw error;
    return compile(rewritten, url);
  }
}

function makeHandle(url, isMain, { format, source, path, id }) {
  switch (format) {
    case 'builtin':
      return require('internal/modules/esm/builtins').builtinModule(id);
    case 'commonjs':
      return require('internal/modules/esm/commonjs')
        .commonJsModule(url, path, source ?? readSource(path), isMain);
    case 'json':
      return require('internal/modules/esm/commonjs').jsonModule(url, path, source);
    default:
      return compileSource(source ?? readSource(path), url);
  }
}

function typeOf(attributes) {
  const index = attributes?.indexOf('type') ?? -1;
  return index % 2 === 0 ? attributes[index + 1] : '';
}

function addRecord(record) {
  records.set(record.url, record);
  recordsByHandle.set(record.handle, record);
  return record;
}

function makeRecord(url, attributes, source, isMain) {
  validateScheme(url);
  const type = typeAttribute(attributes);
  const description = describe(url, source);
  const { format } = description;
  validateType(url, format, type);
  return addRecord({
    url,
    format,
    handle: makeHandle(url, isMain, description),
    isLinked: format !== 'module',
    imports: undefined,
  });
}

// What an import leads to; what is new is added to `fresh`. A failure is the same each time.
function findRecord(url, attributes, fresh, source = undefined, isMain = false) {
  let record = records.get(url);
  if (record !== undefined && attributes === undefined && record.format !== 'json') return record;
  const key = `${typeOf(attributes)}\x00${url}`;
  if (failures.has(key)) throw failures.get(key);
  try {
    if (record !== undefined) {
      validateType(url, record.format, typeAttribute(attributes));
    } else {
      record = makeRecord(url, attributes, source, isMain);
      fresh.push(record);
    }
  } catch (error) {
    failures.set(key, error);
    throw error;
  }
  return record;
}

function linkRecord(record, fresh) {
  const list = requests(record.handle);
  const handles = [];
  record.imports = [];
  for (let i = 0; i < list.length; i += 2) {
    const child = findRecord(resolveCached(list[i], record.url), list[i + 1], fresh);
    handles.push(child.handle);
    record.imports.push(list[i], child);
  }
  if (handles.length > 0) link(record.handle, handles);
  record.isLinked = true;
}

// Everything that `make` adds, and what that imports. If something fails, nothing was added.
function loadWith(make) {
  const fresh = [];
  try {
    const root = make(fresh);
    // Grows while it is walked through.
    for (let i = 0; i < fresh.length; ++i) {
      if (!fresh[i].isLinked) linkRecord(fresh[i], fresh);
    }
    return root;
  } catch (error) {
    for (const record of fresh) {
      if (records.get(record.url) === record) records.delete(record.url);
    }
    throw error;
  }
}

function load(url, attributes, source, isMain) {
  return loadWith((fresh) => findRecord(url, attributes, fresh, source, isMain));
}

// A module that has no file: -e, --input-type=module.
function loadText(source, url) {
  return loadWith((fresh) => {
    const record = addRecord({
      url, format: 'module', handle: compileSource(source, url), isLinked: false,
      imports: undefined,
    });
    fresh.push(record);
    return record;
  });
}

const kNoExport = /^The requested module '(.+)' does not provide an export named '(.+)'$/;

// How to write the import instead, from the line that has it.
function adviceFor(specifier, error) {
  const line = sourceLine(error)?.split('\n')[1] ?? '';
  const names = /\{.*\}/.exec(line)?.[0].replace(/\s+as\s+/g, ': ');
  return `import pkg from '${specifier}';\n${names ? `const ${names} = pkg;\n` : ''}`;
}

function explainMissingExport(record, error) {
  const match = error?.name === 'SyntaxError' ? kNoExport.exec(error.message) : null;
  if (match === null) return;
  const [, specifier, name] = match;
  if (!importsCommonJs(record, specifier, new Set())) return;
  error.message = `Named export '${name}' not found. The requested module '${specifier}' is a ` +
    'CommonJS module, which may not support all module.exports as named exports.\n' +
    'CommonJS modules can always be imported via the default export, for example using:\n\n' +
    adviceFor(specifier, error);
}

function importsCommonJs(record, specifier, seen) {
  if (seen.has(record)) return false;
  seen.add(record);
  const { imports } = record;
  if (imports === undefined) return false;
  for (let i = 0; i < imports.length; i += 2) {
    if (imports[i] === specifier && imports[i + 1].format === 'commonjs') return true;
    if (importsCommonJs(imports[i + 1], specifier, seen)) return true;
  }
  return false;
}

function instantiateRecord(record) {
  try {
    instantiate(record.handle);
  } catch (error) {
    explainMissingExport(record, error);
    decorateStack(error);
    throw error;
  }
}

const kCommonJsVariable = /^(require|exports|module|__filename|__dirname) is not defined$/;

// A program that was written as CommonJS but is run as an ES module.
function explainMissingVariable(record, error) {
  if (error?.name !== 'ReferenceError' || !kCommonJsVariable.test(error.message)) return;
  error.message += ' in ES module scope';
  if (error.message.startsWith('require ')) error.message += ', you can use import instead';
  const { url } = record;
  if (!url.startsWith('file:') || !/\.js(\?[^#]*)?(#.*)?$/.test(url)) return;
  const config = require('internal/modules/package_json').scopeOf(pathOf(url));
  if (config.type !== 'module') return;
  error.message += "\nThis file is being treated as an ES module because it has a '.js' file " +
    `extension and '${config.path}' contains "type": "module". To treat it as a CommonJS script, ` +
    "rename it to use the '.cjs' file extension.";
}

function nameOf(url) {
  return url.startsWith('file:') ? pathOf(url) : url;
}

async function run(record) {
  instantiateRecord(record);
  try {
    forgetMatches();
    await callForLens('main', `module ${nameOf(record.url)}`, () => evaluate(record.handle));
  } catch (error) {
    explainMissingVariable(record, error);
    throw error;
  }
  return getNamespace(record.handle);
}

// Files are read at once, but a program must not see that: what it queued before goes first, and
// the module is run where the end of reading a file is told, in the poll phase. Reading takes as
// many steps: open, stat, read, close.
const kSteps = 4;

async function waitAsForFile(url) {
  const { promised } = require('internal/fs/native');
  const path = pathOf(url);
  for (let i = 0; i < kSteps; ++i) {
    try {
      await promised('access', path, 0);
    } catch {
      // It may be gone; that is for load() to find out.
    }
  }
}

// How many turns of promises Node takes: between import() and the module's code if it is new (one
// more for a data: URL), between import() and the end if it is not, and when nothing is found.
const kTurnsBefore = 11;
const kTurnsIfKnown = 3;
const kTurnsIfMissing = 2;

async function turns(count) {
  for (let i = 1; i < count; ++i) await undefined;
}

// import(): a promise for the namespace.
async function importModule(specifier, base, attributes) {
  let url;
  try {
    url = resolveCached(specifier, base);
  } catch (error) {
    await turns(kTurnsIfMissing);
    throw error;
  }
  const isNew = !records.has(url);
  if (isNew && url.startsWith('file:') && needsSource(url)) await waitAsForFile(url);
  await turns(isNew ? kTurnsBefore + url.startsWith('data:') : kTurnsIfKnown);
  const namespace = await run(load(url, attributes));
  await undefined;
  return namespace;
}

module.exports = {
  importModule,
  instantiateRecord,
  load,
  loadText,
  records,
  recordsByHandle,
  resolveCached,
  run,
  waitAsForFile,
};
