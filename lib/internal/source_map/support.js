'use strict';
// Which modules have source maps, if the program wants to know (--enable-source-maps). A loader
// reports what it has compiled; a map is read and decoded when a stack, or the program, asks for it.

const { isAbsolute } = require('path');
const { defaultPrepareStackTrace, setInternalPrepareStackTrace } = require('internal/errors');
const { kEmptyObject } = require('internal/util');
const { validateBoolean, validateObject } = require('internal/validators');
const { setSourceMaps } = binding('modules');

const kScheme = /^\w+:\/\//;
const kUnderNodeModules = /[/\\]node_modules[/\\](.+?)(?=[/\\])/;

const state = {
  // Loaders report maps: for stacks, or for coverage.
  isKept: false,
  support: Object.freeze({ __proto__: null, enabled: false, nodeModules: false, generatedCode: false }),
};

// URL -> weak reference to the module that has the entry: a module that is collected takes its map
// along.
const modules = new Map();
const entries = new WeakMap(); // module, or its handle -> entry
const generated = new Map(); // URL of evaluated text -> entry

const forgetting = new FinalizationRegistry((urls) => {
  for (const url of urls) {
    if (modules.get(url)?.deref() === undefined) modules.delete(url);
  }
});

function toUrl(name) {
  if (typeof name !== 'string') return undefined;
  const { URL, pathToFileURL } = require('internal/url');
  if (isAbsolute(name)) return pathToFileURL(name).href;
  return URL.canParse(name) ? name : undefined;
}

function isLeftOut(url) {
  return !state.support.nodeModules && kUnderNodeModules.test(url);
}

// The loaders call it, if maps are enabled. `names` is what the compiler has found at the end of the
// text: [sourceMappingURL, sourceURL].
function keepSourceMap(owner, filename, content, [mapUrl, sourceUrl]) {
  if (typeof mapUrl !== 'string' || mapUrl === '') return;
  const url = toUrl(filename);
  if (url === undefined || isLeftOut(url)) return;
  entries.set(owner, { url, mapUrl, content, map: undefined });
  const urls = [url];
  const other = toUrl(sourceUrl);
  if (other !== undefined && other !== url) urls.push(other);
  const reference = new WeakRef(owner);
  for (const key of urls) modules.set(key, reference);
  forgetting.register(owner, urls);
}

function lastMatch(pattern, text) {
  let last;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) last = match[1];
  return last;
}

// The text of eval() and new Function(). It has a map if it says what it is called.
function keepGenerated(content) {
  const name = lastMatch(/\/[*/]#\s+sourceURL=([^\s]+)/g, content);
  if (name === undefined) return;
  const mapUrl = lastMatch(/\/[*/]#\s+sourceMappingURL=([^\s]+)/g, content);
  if (mapUrl === undefined) return;
  const url = kScheme.test(name) ? name : require('internal/url').pathToFileURL(name).href;
  if (!isLeftOut(url)) generated.set(url, { url, mapUrl, content, map: undefined });
}

// ---- Reading ----

function lineLengths(content) {
  return content.split(/[\n\u2028\u2029]/).map((line) => line.length);
}

function readData(url) {
  const comma = url.pathname.indexOf(',');
  const [type, ...parameters] = url.pathname.slice(0, comma).split(';');
  if (type !== 'application/json') return undefined;
  const data = url.pathname.slice(comma + 1);
  return parameters.at(-1) === 'base64' ? require('buffer').Buffer.from(data, 'base64').toString() : data;
}

// The payload of a map, with absolute URLs of its sources; undefined if it cannot be read.
function readPayload({ url, mapUrl }) {
  const { URL, fileURLToPath, pathToFileURL } = require('internal/url');
  const location = new URL(mapUrl, url);
  let base = url;
  let text;
  if (location.protocol === 'data:') {
    text = readData(location);
  } else if (!URL.canParse(mapUrl)) {
    text = require('fs').readFileSync(fileURLToPath(location), 'utf8');
    base = location;
  }
  if (text === undefined) return undefined;
  const payload = JSON.parse(text);
  payload.sources = payload.sources.map((source) => {
    const whole = (payload.sourceRoot || '') + source;
    return isAbsolute(whole) ? pathToFileURL(whole).href : new URL(whole, base).href;
  });
  payload.sourceRoot = '';
  return payload;
}

function readMap(entry) {
  const payload = readPayload(entry);
  if (payload === undefined) return null;
  const { SourceMap } = require('internal/source_map/source_map');
  return new SourceMap(payload, { lineLengths: lineLengths(entry.content) });
}

// The map of a file or URL; undefined if it has none, or none that can be read.
function findSourceMap(name) {
  if (typeof name !== 'string' || name.startsWith('node:') || isLeftOut(name)) return undefined;
  if (modules.size === 0 && generated.size === 0) return undefined;
  let entry;
  try {
    const url = kScheme.test(name) ? name : require('internal/url').pathToFileURL(name).href;
    entry = entries.get(modules.get(url)?.deref()) ?? generated.get(url);
    if (entry === undefined) return undefined;
    if (entry.map === undefined) entry.map = readMap(entry);
  } catch {
    if (entry !== undefined) entry.map = null;
  }
  return entry?.map ?? undefined;
}

// What coverage needs of each module with a map: the lengths of its lines, to translate positions, and the map. Undefined
// if there is none.
function entriesOfSourceMaps() {
  const described = {};
  for (const [url, reference] of modules) {
    const entry = entries.get(reference.deref());
    if (entry === undefined || entry.url !== url) continue;
    const isInline = entry.mapUrl.startsWith('data:');
    let data = null;
    try {
      data = readPayload(entry) ?? null;
    } catch {
      // The map is damaged, or not there.
    }
    described[url] = { lineLengths: lineLengths(entry.content), data, url: isInline || data !== null ? null : entry.mapUrl };
  }
  return Object.keys(described).length === 0 ? undefined : described;
}

// ---- Switching it on and off ----

function setSourceMapsSupport(enabled, options = kEmptyObject) {
  validateBoolean(enabled, 'enabled');
  validateObject(options, 'options');
  const { nodeModules = false, generatedCode = false } = options;
  validateBoolean(nodeModules, 'options.nodeModules');
  validateBoolean(generatedCode, 'options.generatedCode');

  setInternalPrepareStackTrace(enabled ? require('internal/source_map/stacks').prepareStackTrace :
    defaultPrepareStackTrace);
  setSourceMaps(enabled);
  state.isKept = enabled || Boolean(process.env.NODE_V8_COVERAGE);
  state.support = Object.freeze({ __proto__: null, enabled, nodeModules, generatedCode });
}

function getSourceMapsSupport() {
  return state.support;
}

module.exports = {
  entriesOfSourceMaps, findSourceMap, getSourceMapsSupport, keepGenerated, keepSourceMap, setSourceMapsSupport, state,
};
