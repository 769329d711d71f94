'use strict';
// The loader of ES modules. A graph is loaded and linked in one go, when it is asked for; then it is
// instantiated and evaluated, a few microtasks later.

const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { callPaused, firstLine } = require('internal/inspector/first_line');
const { activeChannels, activeTracing } = require('internal/trace/active_channels');
const { callForLens } = require('internal/async_hooks');
const {
  ERR_INVALID_ARG_VALUE,
  ERR_INVALID_RETURN_PROPERTY_VALUE,
  ERR_SOURCE_PHASE_NOT_DEFINED,
  ERR_UNKNOWN_MODULE_FORMAT,
} = require('internal/errors').codes;
const forgetMatches = require('internal/util/forget_matches');
const compileCache = require('internal/modules/compile_cache_state');
const { conditions, importConditions } = require('internal/modules/conditions');
const { loadHooks, loadWithHooks, registered, resolveHooks, resolveWithHooks, withText } =
  require('internal/modules/customization_hooks');
const { describe, hintOf, pathOf, readFor, typeOf } = require('internal/modules/esm/formats');
const { resolve } = require('internal/modules/esm/resolve');
const { state: watchReports } = require('internal/watch_mode/report_state');
const { keepSourceMap, state: sourceMaps } = require('internal/source_map/support');
const {
  compile, evaluate, getNamespace, getSource, hasTopLevelAwait, instantiate, kEvaluationPhase,
  kSourcePhase, link, requests, sourceMapOf,
} = binding('module_wrap');
const { decorateStack, sourceLine } = binding('modules');

// URL, or type and URL -> { url, key, format, handle, phase, imports, isInstantiated }; `imports` is a
// list of specifiers and records, undefined until the record is linked.
const records = new Map();
const recordsByHandle = new Map();
const resolved = new Map(); // "specifier\0base" -> URL

function keyOf(url, type) {
  return type === undefined ? url : `${type}\x00${url}`;
}

// ---- Finding ----

function resolveCached(specifier, base) {
  const key = `${specifier}\x00${base}`;
  let url = resolved.get(key);
  if (url === undefined) {
    url = resolve(specifier, base);
    resolved.set(key, url);
  }
  return url;
}

function toObject(attributes) {
  const object = { __proto__: null };
  for (let i = 0; i < (attributes?.length ?? 0); i += 2) object[attributes[i]] = attributes[i + 1];
  return object;
}

function toList(object) {
  const list = Object.entries(object).flat();
  return list.length > 0 ? list : undefined;
}

function hasResolveHooks() {
  return resolveHooks.length > 0 || registered.isActive;
}

// What the last hook asks. -> { url, format }
function resolveByDefault(specifier, context) {
  const { conditions: names, importAttributes, parentURL } = context;
  if (names !== undefined && !Array.isArray(names)) {
    throw new ERR_INVALID_ARG_VALUE('conditions', names, 'expected an array');
  }
  const isUsual = names === undefined || names === importConditions() ||
    (names.length === conditions.import.size && names.every((name) => conditions.import.has(name)));
  const url = isUsual ? resolveCached(specifier, parentURL) :
    resolve(specifier, parentURL, new Set(names));
  if (url.startsWith('data:') || specifier.startsWith('node:')) return { __proto__: null, url };
  return { __proto__: null, url, format: hintOf(url, toList(importAttributes ?? {})) };
}

// -> { url, format, importAttributes }
function resolveByHooks(specifier, base, attributes) {
  if (resolveHooks.length === 0) return resolveRegistered(specifier, base, toObject(attributes));
  return resolveWithHooks(specifier, base, toObject(attributes), importConditions(),
    (specifier, context) => (isAsked() ?
      resolveRegistered(specifier, context.parentURL, context.importAttributes) :
      resolveByDefault(specifier, context)));
}

// As import.meta.resolve() does it.
function resolveUrl(specifier, base) {
  if (!hasResolveHooks()) return resolveCached(specifier, base);
  return resolveByHooks(specifier, base, undefined).url;
}

// ---- With the hooks of module.register() ----

// Whether the thread of those hooks has to be asked.
function isAsked() {
  return registered.isActive && !registered.isHere;
}

function hooksThread() {
  return require('internal/modules/esm/hooks_thread').hooksThread();
}

// On that thread itself, hooks are functions that may be asynchronous: a graph of modules is first gone through with
// them, and what they answered is kept (prefetch). After that it is loaded and linked as always, from these answers.
const answers = new Map(); // "specifier\0base\0type" -> what they resolved
const sources = new Map(); // key of a record -> what they loaded, until the record is made

function questionOf(specifier, base, attributes) {
  return `${specifier}\x00${base}\x00${attributes.type ?? ''}`;
}

function resolveRegistered(specifier, base, attributes) {
  if (isAsked()) return hooksThread().call('resolve', [specifier, base, attributes]);
  return answers.get(questionOf(specifier, base, attributes)) ??
    resolveByDefault(specifier, { __proto__: null, importAttributes: attributes, parentURL: base });
}

function loadRegistered(key, url, attributes, format) {
  if (isAsked()) return withText(hooksThread().call('load', [url, { format, importAttributes: attributes }]));
  const known = sources.get(key);
  sources.delete(key);
  return known ?? loadByDefault(url, { __proto__: null, format, importAttributes: attributes });
}

async function prefetch(specifier, base, attributes, phase = kEvaluationPhase, known = kNothingKnown,
  seen = new Set()) {
  const hooks = require('internal/modules/esm/registered_hooks');
  const object = toObject(attributes);
  const question = questionOf(specifier, base, object);
  let found = answers.get(question);
  if (found === undefined) {
    found = await hooks.resolve(specifier, base, object);
    answers.set(question, found);
  }
  const { url } = found;
  const list = found.importAttributes ? toList(found.importAttributes) : attributes;
  const key = keyOf(url, typeOf(list));
  if (seen.has(key)) return;
  seen.add(key);
  let record = records.get(key);
  if (record === undefined) {
    const loaded = withText(await hooks.load(url, {
      format: found.format, importAttributes: found.importAttributes ?? object,
    }));
    record = records.get(key); // another import may have been faster
    if (record === undefined) {
      sources.set(key, loaded);
      record = makeRecord(key, url, list, found.format ?? undefined, phase, known);
    }
  }
  if (record.imports !== undefined) return;
  const children = requests(record.handle);
  const under = [];
  for (let i = 0; i < children.length; i += 3) {
    under.push(prefetch(children[i], url, children[i + 1], children[i + 2], undefined, seen));
  }
  await Promise.all(under);
}

// ---- Loading ----

function bytesOf(source, url) {
  return require('buffer').Buffer.from(source ?? readFor(url, 'wasm'));
}

// What the last hook asks, which gets bytes.
function loadByDefault(url, context) {
  const attributes = toList(context.importAttributes ?? {});
  const { format, source } = describe(url, attributes, context.format, context.source ?? undefined);
  return {
    __proto__: null, format, responseURL: url, source: format === 'builtin' ? null : bytesOf(source, url),
  };
}

// The same for hooks of module.register(): the source of CommonJS is left to require().
function loadForHooks(url, context, importAttributes) {
  const attributes = toList(importAttributes ?? {});
  const { format, source } = describe(url, attributes, context.format, context.source ?? undefined);
  let bytes = source ?? null;
  if (context.format === 'commonjs') bytes = context.source;
  else if (format === 'commonjs' || format === 'builtin') bytes = null;
  else if (context.source == null) bytes = bytesOf(source, url);
  return { __proto__: null, format, responseURL: url, source: bytes };
}

// -> { format, source?, isRegistered }; the last one says whether hooks of module.register() were asked
function loadByHooks(key, url, attributes, format) {
  const object = toObject(attributes);
  let isRegistered = false;
  function loadLast(url, context) {
    if (!registered.isActive) return loadByDefault(url, context);
    isRegistered = true;
    return loadRegistered(key, url, context.importAttributes, context.format);
  }
  const context = { __proto__: null, format, importAttributes: object };
  const loaded = loadHooks.length === 0 ? loadLast(url, context) :
    loadWithHooks(url, format, object, importConditions(), loadLast, true);
  const { format: actual, source } = loaded;
  if (kKnownFormats.has(actual)) validateSource(actual, source);
  return { __proto__: null, format: actual, source, isRegistered };
}

function compileCached(source, url) {
  const handle = compileCache.cache === undefined ? compile(source, url) :
    compileCache.cache.compileModule(source, url);
  if (sourceMaps.isKept) keepSourceMap(handle, url, source, sourceMapOf(handle));
  return handle;
}

const kKnownFormats = new Set(['builtin', 'commonjs', 'commonjs-typescript', 'json', 'module', 'module-typescript',
  'text', 'wasm']);
const kSourceless = { __proto__: null, builtin: true, commonjs: true, addon: true };

// Whoever gives another format has to give its source.
function validateSource(format, source) {
  if (kSourceless[format] || isAnyArrayBuffer(source) || isArrayBufferView(source)) return;
  const takesText = format !== 'wasm';
  if (takesText && typeof source === 'string') return;
  throw new ERR_INVALID_RETURN_PROPERTY_VALUE(`${takesText ? 'string, ' : ''}array buffer, or typed array`,
    'load', 'source', source);
}

function makeHandle(url, isMain, { format, source, isRegistered }) {
  switch (format) {
    case 'builtin':
      return require('internal/modules/esm/builtins').builtinModule(url);
    case 'commonjs': case 'commonjs-typescript':
      return require('internal/modules/esm/commonjs').commonJsModule(url, source, isMain, format, isRegistered);
    case 'json':
      return require('internal/modules/esm/commonjs').jsonModule(url, source);
    case 'wasm':
      return require('internal/modules/esm/wasm').wasmModule(url, source ?? readFor(url, format));
    case 'addon':
      return require('internal/modules/esm/commonjs').addonModule(url, isMain);
    case 'text':
      return require('internal/modules/esm/commonjs').textModule(url, source);
    case 'module':
      return compileCached(source ?? readFor(url, format), url);
    case 'module-typescript': {
      const { stripModuleTypes } = require('internal/modules/typescript');
      return compileCached(stripModuleTypes(source ?? readFor(url, format), url), url);
    }
    default:
      throw new ERR_UNKNOWN_MODULE_FORMAT(format, url);
  }
}

function makeRecord(key, url, attributes, hint, phase, { source, isMain = false }) {
  if (watchReports.isActive) require('internal/watch_mode/report').reportImported(url);
  const loaded = loadHooks.length > 0 || registered.isActive ?
    loadByHooks(key, url, attributes, hint) : describe(url, attributes, hint, source);
  const record = {
    __proto__: null,
    url,
    key,
    format: loaded.format,
    handle: makeHandle(url, isMain, loaded),
    phase,
    isMain,
    imports: undefined,
    isInstantiated: false,
  };
  records.set(key, record);
  recordsByHandle.set(record.handle, record);
  return record;
}

const kNothingKnown = { __proto__: null };

// The record of what `specifier` leads to. What is new is added to `fresh`, which is not linked yet.
function findRecord(specifier, base, attributes, phase, fresh, known = kNothingKnown) {
  let url;
  let hint;
  if (!hasResolveHooks()) {
    url = resolveCached(specifier, base);
  } else {
    const found = resolveByHooks(specifier, base, attributes);
    ({ url, format: hint } = found);
    if (found.importAttributes) attributes = toList(found.importAttributes);
  }
  const key = keyOf(url, typeOf(attributes));
  let record = records.get(key);
  if (record === undefined) {
    record = makeRecord(key, url, attributes, hint, phase, known);
    fresh[fresh.length] = record;
  }
  if (record.phase < phase) record.phase = phase;
  if (record.phase > kSourcePhase && record.imports === undefined) linkRecord(record, fresh);
  return record;
}

function linkRecord(record, fresh) {
  record.imports = [];
  const list = requests(record.handle);
  const handles = [];
  for (let i = 0; i < list.length; i += 3) {
    const child = findRecord(list[i], record.url, list[i + 1], list[i + 2], fresh);
    handles[handles.length] = child.handle;
    if (list[i + 2] === kSourcePhase) continue;
    record.imports[record.imports.length] = list[i];
    record.imports[record.imports.length] = child;
  }
  if (handles.length > 0) link(record.handle, handles);
}

// If something fails, nothing was added.
function loadWith(make) {
  const fresh = [];
  try {
    return make(fresh);
  } catch (error) {
    for (let i = 0; i < fresh.length; i++) {
      const record = fresh[i];
      if (records.get(record.key) === record) records.delete(record.key);
    }
    throw error;
  }
}

function load(specifier, base, attributes, phase = kEvaluationPhase, known = undefined) {
  return loadWith((fresh) => findRecord(specifier, base, attributes, phase, fresh, known));
}

// A module whose text is at hand: -e, and what require() has read.
function loadText(source, url, isMain = false, check = undefined, isDetected = false) {
  return loadWith((fresh) => {
    const record = {
      __proto__: null, url, key: url, format: 'module', handle: compileCached(source, url),
      phase: kEvaluationPhase, isMain, isDetected, imports: undefined, isInstantiated: false,
    };
    records.set(url, record);
    recordsByHandle.set(record.handle, record);
    fresh.push(record);
    linkRecord(record, fresh);
    check?.(record);
    return record;
  });
}

// ---- Running ----

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
  const imports = record.imports ?? [];
  for (let i = 0; i < imports.length; i += 2) {
    if (imports[i] === specifier && imports[i + 1].format === 'commonjs') return true;
    if (importsCommonJs(imports[i + 1], specifier, seen)) return true;
  }
  return false;
}

function instantiateRecord(record, isRequired = false) {
  try {
    // A module's function is called, and the debugger pauses there, when it is instantiated.
    if (firstLine.isWanted && record.isMain) callPaused(instantiate, undefined, [record.handle]);
    else instantiate(record.handle);
  } catch (error) {
    if (!isRequired) explainMissingExport(record, error);
    decorateStack(error);
    throw error;
  }
  markInstantiated(record);
}

function markInstantiated(record) {
  if (record.isInstantiated) return;
  record.isInstantiated = true;
  const imports = record.imports ?? [];
  for (let i = 1; i < imports.length; i += 2) markInstantiated(imports[i]);
}

// What to write in an ES module instead of the variables of CommonJS.
const kAdvice = {
  __proto__: null,
  require: 'replace require() with import',
  module: 'use export instead of module.exports/exports',
  exports: 'use export instead of module.exports/exports',
  __filename: 'use import.meta.filename instead',
  __dirname: 'use import.meta.dirname instead',
};
const kCommonJsVariable = /^(require|exports|module|__filename|__dirname) is not defined$/;

// A program that was written as CommonJS but is run as an ES module.
function explainMissingVariable(record, error) {
  if (error?.name !== 'ReferenceError') return;
  const name = kCommonJsVariable.exec(error.message)?.[1];
  if (name === undefined) return;
  if (hasTopLevelAwait(record.handle)) {
    error.message = `Cannot determine intended module format because both '${name}' and ` +
      'top-level await are present. If the code is intended to be CommonJS, wrap await in an ' +
      `async function. If the code is intended to be an ES module, ${kAdvice[name]}.`;
    error.code = 'ERR_AMBIGUOUS_MODULE_SYNTAX';
    return;
  }
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

// The height of the tree by which a search in depth finds the graph. Node takes two turns of
// promises for each level of it before it instantiates a module.
function heightOf(record, seen) {
  seen.add(record);
  const imports = record.imports ?? [];
  let height = 0;
  for (let i = 1; i < imports.length; i += 2) {
    if (!seen.has(imports[i])) height = Math.max(height, heightOf(imports[i], seen));
  }
  return height + 1;
}

async function turns(count) {
  for (let i = 0; i < count; ++i) await undefined;
}

async function instantiateLater(record) {
  await turns(2 * heightOf(record, new Set()));
  instantiateRecord(record);
}

// The module that the program was started with, as soon as it runs.
const main = { record: undefined };

async function run(record) {
  if (record.isInstantiated) await undefined;
  else await (record.instantiating ??= instantiateLater(record));
  if (record.isMain) main.record = record;
  try {
    forgetMatches();
    await callForLens('main', `module ${nameOf(record.url)}`, () => evaluate(record.handle));
  } catch (error) {
    explainMissingVariable(record, error);
    throw error;
  }
}

function sourceOf({ handle, url }) {
  const source = getSource(handle);
  if (source === undefined) throw new ERR_SOURCE_PHASE_NOT_DEFINED(url);
  return source;
}

async function importRecord(find, phase) {
  const record = await find();
  if (phase === kSourcePhase) return sourceOf(await record);
  await run(record);
  return getNamespace(record.handle);
}

// As many functions are between import() and its module as in Node: each takes turns of promises.
async function importBy(find, phase = kEvaluationPhase) {
  return importRecord(find, phase);
}

// import(): a promise for the namespace, or for the source object.
async function importModule(specifier, base, attributes, phase, known = undefined) {
  const tracing = activeChannels.size === 0 ? undefined : activeTracing('module.import');
  if (tracing === undefined) return importUntraced(specifier, base, attributes, phase, known);
  return tracing.tracePromise(importUntraced, { __proto__: null, parentURL: base, url: specifier },
    undefined, specifier, base, attributes, phase, known);
}

function importUntraced(specifier, base, attributes, phase, known) {
  if (registered.isHere) {
    return importBy(async () => {
      await prefetch(specifier, base, attributes, phase, known);
      return load(specifier, base, attributes, phase, known);
    }, phase);
  }
  return importBy(() => loadOrNever(specifier, base, attributes, phase, known), phase);
}

// What hooks of module.register() will never answer is never loaded.
function loadOrNever(specifier, base, attributes, phase, known) {
  try {
    return load(specifier, base, attributes, phase, known);
  } catch (error) {
    if (error?.code === 'ERR_ASYNC_LOADER_REQUEST_NEVER_SETTLED') return new Promise(() => {});
    throw error;
  }
}

// A module that has no file: -e, --input-type=module. `isDetected`: because the text is not a script.
async function importText(source, url, isDetected) {
  return importBy(() => loadText(source, url, true, undefined, isDetected));
}

module.exports = {
  importModule,
  importText,
  instantiateRecord,
  load,
  loadForHooks,
  loadText,
  explainMissingVariable,
  main,
  records,
  recordsByHandle,
  resolveByDefault,
  resolveRegistered,
  resolveUrl,
};
