'use strict';
// Completion of what is before the cursor. It has no effects: nothing is called, no getter is run
// (but those that load a builtin module) and no proxy is asked.

const { builtinNames, kLazy, plainNames, shownModules } = require('internal/repl/builtin_globals');
const { types: { isProxy } } = require('util');

const { constants: { SKIP_SYMBOLS }, getOwnNonIndexProperties } = binding('util');

const kCommand = /^\s*\.(\w*)$/;
const kRequire = /\b(require|import)\s*\(\s*(['"`])([\w@./:-]*)$/;
const kFile = /\bfs(?:\.promises)?\.\w+\(\s*['"`]([^'"`]*)$/;
// What a chain of names can begin with: a literal, the call of require(), a name. Of literals only
// the kind counts.
const kLiterals = [
  [/'[^'\\]*'|"[^"\\]*"|`[^`\\$]*`|\((?:''|""|``)\)/, String.prototype],
  [/\/(?![*/])[^/\\\s]+\/[a-z]*/, RegExp.prototype],
  [/\(\s*\{[^(){}]*\}\s*\)/, Object.prototype],
  [/\[[\w\s,.'"]*\]/, Array.prototype],
  [/\(\s*\d[\d.]*\s*\)|\d+\.(?=\.|$)/, Number.prototype],
];
const kRequireCall = /require\s*\(\s*(?:'[^']+'|"[^"]+"|`[^`$]+`)\s*\)/;
const kName = /[\w$]+/;
// Brackets with what has brackets in it.
const kNested = '\\[(?:[^\\[\\]]|\\[(?:[^\\[\\]]|\\[[^\\[\\]]*\\])*\\])+\\]';
const kIndex = new RegExp(kNested);
const kLiteralIndex = /^\[(?:(\d+)|(['"`])([^'"`\\$]*)\2)\]$/;
const sourceOf = (regexps) => regexps.map((regexp) => `(?:${regexp.source})`).join('|');
const kRoot = sourceOf([kRequireCall, ...kLiterals.map(([regexp]) => regexp), kName]);
const kLink = `(?:${kIndex.source})*\\??\\.`;
// For example a.b?.c['d'].e
const kChain =
  new RegExp(`(?:^|[^\\w$.\\])])((?:(?:${kRoot})${kLink}(?:${kName.source}${kLink})*)?)([\\w$]*)$`);
const kParts = new RegExp(`${kIndex.source}|${kName.source}`, 'g');
const kRootOnly = new RegExp(`^(?:${kRoot})`);
const kOldAccessors = /^__(?:define|lookup)(?:Getter|Setter)__$/;
const kIdentifier = /^[A-Za-z_$][\w$]*$/;

const kKeywords = [
  'async', 'await', 'break', 'case', 'catch', 'const', 'continue', 'debugger', 'default',
  'delete', 'do', 'else', 'export', 'false', 'finally', 'for', 'function', 'if', 'import', 'in',
  'instanceof', 'let', 'new', 'null', 'return', 'switch', 'this', 'throw', 'true', 'try',
  'typeof', 'var', 'void', 'while', 'with', 'yield',
];

// ---- What there is to choose from ----

// The names of the properties that can be written after a dot; keys of arrays cannot.
function ownNames(object) {
  if (isProxy(object)) return [];
  return getOwnNonIndexProperties(object, SKIP_SYMBOLS)
    .filter((name) => kIdentifier.test(name) && !kOldAccessors.test(name));
}

// One group for the object and one for each prototype, the nearest first.
function groupsOf(value) {
  const groups = [];
  let object = Object(value);
  for (let depth = 0; object !== null && depth < 100; depth++) {
    if (isProxy(object)) break;
    groups.push(ownNames(object));
    object = Object.getPrototypeOf(object);
  }
  return groups;
}

const kNothing = { found: false };

function propertyOf(value, name) {
  if (value === null || value === undefined) return kNothing;
  let object = Object(value);
  while (object !== null) {
    if (isProxy(object)) return kNothing;
    const descriptor = Object.getOwnPropertyDescriptor(object, name);
    if (descriptor !== undefined) {
      if ('value' in descriptor) return { found: true, value: descriptor.value };
      if (descriptor.get?.[kLazy]) return { found: true, value: descriptor.get.call(object) };
      if (name === '__proto__') return { found: true, value: Object.getPrototypeOf(Object(value)) };
      return kNothing;
    }
    object = Object.getPrototypeOf(object);
  }
  return kNothing;
}

function evaluateName(server, name) {
  const vm = require('vm');
  try {
    const value = server.useGlobal ?
      vm.runInThisContext(name) :
      vm.runInContext(name, server.context);
    return { found: true, value };
  } catch {
    return kNothing;
  }
}

// What the language itself defines is not a property of the global object of a context.
function intrinsicNames(server) {
  if (server.useGlobal) return [];
  return require('vm').runInContext('Object.getOwnPropertyNames(globalThis)', server.context)
    .filter((name) => !Object.hasOwn(server.context, name));
}

// The value of a name: a variable of the top level, else a property of the global object. To read
// a variable has no effect, except that it fails before its declaration was reached.
function valueOfName(server, name) {
  if (name === 'globalThis' || name === 'this') return { found: true, value: server.context };
  if (server.lexicalNames().has(name)) return evaluateName(server, name);
  const property = globalOf(server, name);
  if (property.found || Object.hasOwn(server.context, name)) return property;
  return intrinsicNames(server).includes(name) ? evaluateName(server, name) : kNothing;
}

// Getters of the global object that are Node's own, such as `process` and `crypto`, only
// return a value; getters that a program has defined could do anything.
function globalOf(server, name) {
  const property = propertyOf(server.context, name);
  if (property.found) return property;
  const descriptor = Object.getOwnPropertyDescriptor(server.context, name);
  if (descriptor?.get === undefined || !server.isInitialGlobal(name, descriptor.get)) {
    return kNothing;
  }
  return { found: true, value: descriptor.get.call(server.context) };
}

function valueOfRoot(server, root) {
  for (const [regexp, prototype] of kLiterals) {
    if (new RegExp(`^(?:${regexp.source})$`).test(root)) return { found: true, value: prototype };
  }
  if (new RegExp(`^${kRequireCall.source}$`).test(root)) {
    const [, id] = /['"`](?:node:)?([^'"`]*)['"`]/.exec(root);
    if (!builtinNames().includes(id)) return kNothing;
    return { found: true, value: server.context.require(id) };
  }
  return /^\d/.test(root) ? kNothing : valueOfName(server, root);
}

// What is in the brackets: a literal, or what it would be if that has no effect.
function indexOf(server, part) {
  const literal = kLiteralIndex.exec(part);
  if (literal !== null) return literal[1] ?? literal[3];
  return require('internal/repl/preview_value').evaluatorOf(server).primitive(part.slice(1, -1));
}

function valueOfChain(server, chain) {
  const [root] = kRootOnly.exec(chain);
  let result = valueOfRoot(server, root);
  for (const [part] of chain.slice(root.length).matchAll(kParts)) {
    if (!result.found) return kNothing;
    const name = part.startsWith('[') ? indexOf(server, part) : part;
    if (name === undefined) return kNothing;
    result = propertyOf(result.value, name);
  }
  return result;
}

// ---- Modules and files ----

function entriesOf(folder) {
  try {
    return require('fs').readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isPackage(folder, extensions) {
  return entriesOf(folder).some(({ name }) => {
    return name === 'package.json' || extensions.some((extension) => name === `index${extension}`);
  });
}

// What can be loaded from some folders, each with `prefix` before it. Files with the extension
// `shortened` are found without it.
function loadable(folders, prefix, extensions, shortened) {
  const path = require('path');
  const names = [];
  for (const folder of folders) {
    for (const entry of entriesOf(folder)) {
      const { name } = entry;
      const extension = path.extname(name);
      if (entry.isDirectory() || entry.isSymbolicLink()) {
        names.push(`${prefix}${name}/`);
        if (isPackage(path.join(folder, name), extensions)) names.push(prefix + name);
      } else if (extensions.includes(extension)) {
        names.push(prefix + (extension === shortened ? path.basename(name, shortened) : name));
      }
    }
  }
  return names;
}

function modulesFor(server, call, request) {
  if (request === '.') return [['./', '../']];
  if (request === '..') return [['../']];
  const path = require('path');
  const extensions = Object.keys(require('module')._extensions);
  if (call === 'import') extensions.push('.mjs', '.cjs');
  const shortened = call === 'require' ? '.js' : undefined;
  const prefix = request.slice(0, request.lastIndexOf('/') + 1);
  if (/^\.{0,2}\//.test(request)) {
    return [loadable([path.resolve(process.cwd(), prefix)], prefix, extensions, shortened)];
  }
  const folders = (server.context.module?.paths ?? []).map((base) => path.resolve(base, prefix));
  const prefixed = builtinNames().map((name) => {
    return name.startsWith('node:') ? name : `node:${name}`;
  });
  // In the middle the list that a program can add names to.
  return [
    loadable(folders, prefix, extensions, shortened),
    shownModules.names ??= plainNames(),
    prefixed,
  ];
}

// The files of a folder, or those of its folder that begin with its last part.
function filesFor(request) {
  const path = require('path');
  const isFolder = require('fs').statSync(request, { throwIfNoEntry: false })?.isDirectory();
  const begin = isFolder ? '' : path.basename(request);
  const names = entriesOf(isFolder ? request : path.dirname(request)).map(({ name }) => name);
  return [names.filter((name) => name.startsWith(begin)).sort(), begin];
}

// ---- Putting together ----

// What comes before the name of a new variable.
const kNewName = /^(?:[^{}()[\]"'`]*[;\n])?\s*(?:let|var)\s+(?:[\w$]+\s*(?:=[^,;{}()[\]"'`]*)?,\s*)*$/;

// The list begins with the last group, which is the one that is asked for least. An empty text is
// between two groups; what an earlier group has, a later one does not repeat.
function assemble(groups, prefix, filter) {
  const seen = new Set();
  const wanted = filter.toLowerCase();
  let completions = [];
  for (const group of groups) {
    const names = [];
    for (const name of group) {
      if (seen.has(name) || !name.toLowerCase().startsWith(wanted)) continue;
      seen.add(name);
      names.push(prefix + name);
    }
    if (names.length === 0) continue;
    names.sort();
    if (completions.length > 0) names.push('');
    completions = names.concat(completions);
  }
  return completions;
}

// The own names of the global object are wanted most, so they are last.
function globalGroups(server) {
  const [own, ...inherited] = groupsOf(server.context);
  return [...inherited, [...own, ...intrinsicNames(server), ...server.lexicalNames()]];
}

function completionsFor(server, line) {
  const text = line.trimStart();
  let match = kCommand.exec(text);
  if (match !== null) {
    return [assemble([Object.keys(server.commands)], '', match[1]), match[1]];
  }
  match = kRequire.exec(text);
  if (match !== null) {
    const [, call, , request] = match;
    return [assemble(modulesFor(server, call, request), '', request), request];
  }
  match = kFile.exec(text);
  if (match !== null) return filesFor(match[1]);

  match = kChain.exec(text);
  if (match === null) return [[], undefined];
  const [, chain, filter] = match;
  if (chain === '') {
    if (filter === '' && text !== '') return [[], undefined];
    if (kNewName.test(text.slice(0, text.length - filter.length))) return [[], undefined];
    const groups = globalGroups(server);
    if (filter !== '') groups.push(kKeywords);
    return [assemble(groups, '', filter), filter];
  }
  const { found, value } = valueOfChain(server, chain);
  if (!found || value === null || value === undefined) return [[], chain + filter];
  const groups = value === server.context ? globalGroups(server) : groupsOf(value);
  return [assemble(groups, chain, filter), chain + filter];
}

function complete(server, line, callback) {
  let result;
  try {
    result = completionsFor(server, line);
  } catch (error) {
    callback(error);
    return;
  }
  callback(null, result);
}

module.exports = { complete };
