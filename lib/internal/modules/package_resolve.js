'use strict';
// The fields "exports" and "imports" of packages: what a subpath or a "#name" resolves to. Used for
// require() and import alike.
//
// What is found is a URL as text, because targets may have escapes in them. `base` is the importer:
// the path of a file, or undefined.

const {
  ERR_INVALID_MODULE_SPECIFIER,
  ERR_INVALID_PACKAGE_CONFIG,
  ERR_INVALID_PACKAGE_TARGET,
  ERR_MODULE_NOT_FOUND,
  ERR_PACKAGE_IMPORT_NOT_DEFINED,
  ERR_PACKAGE_PATH_NOT_EXPORTED,
} = require('internal/errors').codes;
const { publicIds } = require('internal/modules/builtin_ids');
const packageJson = require('internal/modules/package_json');
const packageMap = require('internal/modules/package_map');
const { URL, pathToFileURL } = require('internal/url');
const { stat } = binding('modules');

// Segments that a target, or the text for a *, must not have: ".", "..", "node_modules", also
// when letters of them are written as escapes. An empty segment is only deprecated.
const kSegment = '(\\.|%2e)(\\.|%2e)?|' + [...'node_modules'].map((letter) => {
  const code = letter.charCodeAt(0).toString(16);
  return `(${letter}|%${code}|%${letter.toUpperCase().charCodeAt(0).toString(16)})`;
}).join('');
const kInvalidSegment = new RegExp(`(^|\\\\|/)(${kSegment})?(\\\\|/|$)`, 'i');
const kForbiddenSegment = new RegExp(`(^|\\\\|/)(${kSegment})(\\\\|/|$)`, 'i');
const kInvalidPackageName = /^\.|%|\\/;
// Characters that are the same in a path and in a URL.
const kPlainPath = /^[\w\-./@+$!*(),;:=&]*$/;

function pathToUrl(path) {
  if (kPlainPath.test(path)) return `file://${path}`;
  return pathToFileURL(path).href;
}

// A target like "./a.js" in the package of a folder.
function inPackage(folder, target) {
  if (kPlainPath.test(folder) && kPlainPath.test(target)) {
    return `file://${folder}/${target.slice(2)}`;
  }
  return new URL(target, pathToUrl(`${folder}/package.json`)).href;
}

function warn(message, code) {
  if (!process.noDeprecation) process.emitWarning(message, 'DeprecationWarning', code);
}

function importedFrom(base) {
  return base ? ` imported from ${base}` : '';
}

const warnedSlashes = new Set();

function warnTrailingSlash(match, config, base) {
  const key = `${config.path}|${match}`;
  if (warnedSlashes.has(key)) return;
  warnedSlashes.add(key);
  warn(`Use of deprecated trailing slash pattern mapping "${match}" in the "exports" field module ` +
    `resolution of the package at ${config.path}${importedFrom(base)}. Mapping specifiers ending ` +
    'in "/" is no longer supported.', 'DEP0155');
}

function warnInvalidSegment(target, request, match, { config, isImports, base }, isTarget) {
  const kind = /[/\\]{2}/.test(isTarget ? target : request) ?
    'double slash' : 'leading or trailing slash matching';
  warn(`Use of deprecated ${kind} resolving "${target}" for module request "${request}" ` +
    `${request !== match ? `matched to "${match}" ` : ''}in the ` +
    `"${isImports ? 'imports' : 'exports'}" field module resolution of the package at ` +
    `${config.path}${importedFrom(base)}.`, 'DEP0166');
}

function notExported(config, subpath, base) {
  return new ERR_PACKAGE_PATH_NOT_EXPORTED(`${config.folder}/`, subpath, base);
}

function invalidTarget(key, target, { config, isImports, base }) {
  const shown = typeof target === 'object' && target !== null ? JSON.stringify(target) : `${target}`;
  return new ERR_INVALID_PACKAGE_TARGET(`${config.folder}/`, key, shown, isImports, base);
}

function invalidConfig(config, base, message) {
  return new ERR_INVALID_PACKAGE_CONFIG(config.path, base && pathToUrl(base), message);
}

function isUrl(text) {
  try {
    return new URL(text) !== undefined;
  } catch {
    return false;
  }
}

// What is looked for: { config, base, conditions, isImports, key, star, isPattern, isFolder }. `key` is the
// key of the field that matched, `star` the text for its *. `isFolder`: it ends with a slash.

function fillIn(text, { star, isPattern }) {
  return isPattern ? text.replaceAll('*', () => star) : text + star;
}

function checkSegments(text, target, search, isTarget) {
  if (!kInvalidSegment.test(text)) return;
  const { config, isImports, base, key } = search;
  const request = search.isPattern ? key.replace('*', () => search.star) : key + search.star;
  if (kForbiddenSegment.test(text)) {
    if (isTarget) throw invalidTarget(key, target, search);
    throw new ERR_INVALID_MODULE_SPECIFIER(request,
      `request is not a valid match in pattern "${key}" for the ` +
      `"${isImports ? 'imports' : 'exports'}" resolution of ${config.path}`, base);
  }
  if (!search.isFolder) warnInvalidSegment(fillIn(target, search), request, key, search, isTarget);
}

function resolveTextTarget(target, search) {
  const { config, isImports, isPattern, key, star } = search;
  if (star !== '' && !isPattern && !target.endsWith('/')) {
    throw invalidTarget(key, target, search);
  }
  if (!target.startsWith('./')) {
    if (!isImports || target.startsWith('../') || target.startsWith('/') || isUrl(target)) {
      throw invalidTarget(key, target, search);
    }
    // Another package, or a builtin.
    return resolvePackage(fillIn(target, search), config.path, search.conditions);
  }
  checkSegments(target.slice(2), target, search, true);
  if (!inPackage(config.folder, target).startsWith(pathToUrl(`${config.folder}/`))) {
    throw invalidTarget(key, target, search);
  }
  if (star === '') return inPackage(config.folder, target);
  checkSegments(star, target, search, false);
  return inPackage(config.folder, fillIn(target, search));
}

// Several: the first that is valid and matches these conditions.
function resolveFirstTarget(targets, search) {
  let problem;
  for (const target of targets) {
    let resolved;
    try {
      resolved = resolveTarget(target, search);
    } catch (error) {
      if (error.code !== 'ERR_INVALID_PACKAGE_TARGET') throw error;
      problem = error;
      continue;
    }
    if (resolved === undefined) continue;
    if (resolved !== null) return resolved;
    problem = null;
  }
  if (problem) throw problem;
  return problem;
}

function isArrayIndex(key) {
  const number = +key;
  return `${number}` === key && number >= 0 && number < 0xFFFF_FFFF;
}

function resolveConditions(target, search) {
  const { config, base, conditions } = search;
  const keys = Object.keys(target);
  if (keys.some(isArrayIndex)) {
    throw invalidConfig(config, base, '"exports" cannot contain numeric property keys.');
  }
  for (const key of keys) {
    if (key !== 'default' && !conditions.has(key)) continue;
    const resolved = resolveTarget(target[key], search);
    if (resolved !== undefined) return resolved;
  }
  return undefined;
}

// A URL; null if the target says that there is nothing, undefined if nothing applies.
function resolveTarget(target, search) {
  if (typeof target === 'string') return resolveTextTarget(target, search);
  if (Array.isArray(target)) {
    return target.length === 0 ? null : resolveFirstTarget(target, search);
  }
  if (target === null) return null;
  if (typeof target === 'object') return resolveConditions(target, search);
  throw invalidTarget(search.key, target, search);
}

// Which of two patterns is the more specific: a longer text before the *, then a longer key.
function comparePatterns(a, b) {
  const starA = a.indexOf('*');
  const starB = b.indexOf('*');
  const lengthA = starA === -1 ? a.length : starA + 1;
  const lengthB = starB === -1 ? b.length : starB + 1;
  if (lengthA !== lengthB) return lengthA > lengthB ? -1 : 1;
  if (starA === -1) return 1;
  if (starB === -1) return -1;
  return b.length - a.length;
}

// The pattern among the keys of `map` that matches best, and the text for its *.
function matchPattern(request, map, seen = undefined) {
  let best;
  let bestStar = '';
  for (const key of Object.keys(map)) {
    const star = key.indexOf('*');
    if (star === -1 || !request.startsWith(key.slice(0, star))) continue;
    seen?.();
    const end = key.slice(star + 1);
    if (request.length >= key.length && request.endsWith(end) &&
        key.lastIndexOf('*') === star && (best === undefined || comparePatterns(best, key) > 0)) {
      best = key;
      bestStar = request.slice(star, request.length - end.length);
    }
  }
  return { key: best, star: bestStar };
}

// "exports": "./a.js" and "exports": { "import": ... } mean { ".": ... }.
function isMainOnly(config, base) {
  const { exports } = config;
  if (typeof exports === 'string' || Array.isArray(exports)) return true;
  if (typeof exports !== 'object' || exports === null) return false;
  let mainOnly = false;
  let first = true;
  for (const key of Object.keys(exports)) {
    const isCondition = key === '' || key[0] !== '.';
    if (first) {
      mainOnly = isCondition;
      first = false;
    } else if (mainOnly !== isCondition) {
      throw invalidConfig(config, base,
        '"exports" cannot contain some keys starting with \'.\' and some not. The exports object ' +
        'must either be an object of package subpath keys or an object of main entry condition ' +
        'name keys only.');
    }
  }
  return mainOnly;
}

// The URL of the subpath ("." or "./x") of a package that has the field "exports".
function resolveExports(config, subpath, base, conditions) {
  const exports = isMainOnly(config, base) ? { '.': config.exports } : config.exports;
  const search = {
    config, base, conditions, isImports: false, key: subpath, star: '', isPattern: false, isFolder: false,
  };
  if (Object.hasOwn(exports, subpath) && !subpath.includes('*') && !subpath.endsWith('/')) {
    const resolved = resolveTarget(exports[subpath], search);
    if (resolved == null) throw notExported(config, subpath, base);
    return resolved;
  }
  const { key, star } = matchPattern(subpath, exports, () => {
    if (subpath.endsWith('/')) warnTrailingSlash(subpath, config, base);
  });
  if (key === undefined) throw notExported(config, subpath, base);
  Object.assign(search, { key, star, isPattern: true, isFolder: subpath.endsWith('/') });
  const resolved = resolveTarget(exports[key], search);
  if (resolved == null) throw notExported(config, subpath, base);
  return resolved;
}

// The URL of "#name" in the package of the file `base`.
function resolveImports(name, base, conditions) {
  if (name === '#' || name.endsWith('/')) {
    throw new ERR_INVALID_MODULE_SPECIFIER(name,
      'is not a valid internal imports specifier name', base);
  }
  const config = packageJson.scopeOf(base);
  const { imports } = config;
  if (imports !== undefined) {
    const search = {
      config, base, conditions, isImports: true, key: name, star: '', isPattern: false, isFolder: false,
    };
    if (Object.hasOwn(imports, name) && !name.includes('*')) {
      const resolved = resolveTarget(imports[name], search);
      if (resolved != null) return resolved;
    } else {
      const { key, star } = matchPattern(name, imports);
      if (key !== undefined) {
        Object.assign(search, { key, star, isPattern: true });
        const resolved = resolveTarget(imports[key], search);
        if (resolved != null) return resolved;
      }
    }
  }
  throw new ERR_PACKAGE_IMPORT_NOT_DEFINED(name, config.exists && `${config.folder}/`, base);
}

// ---- Packages by name, as import finds them ----

// "@scope/name/sub" -> { name: "@scope/name", subpath: "./sub" }
function parsePackageName(specifier, base) {
  let end = specifier.indexOf('/');
  let valid = true;
  if (specifier[0] === '@') {
    if (end === -1) valid = false;
    else end = specifier.indexOf('/', end + 1);
  }
  const name = end === -1 ? specifier : specifier.slice(0, end);
  if (!valid || kInvalidPackageName.test(name)) {
    throw new ERR_INVALID_MODULE_SPECIFIER(specifier, 'is not a valid package name', base);
  }
  return { name, subpath: end === -1 ? '.' : `.${specifier.slice(end)}` };
}

// What a "main" without an ending may mean.
const kMainEndings = ['', '.js', '.json', '.node', '/index.js', '/index.json', '/index.node'];
const kIndexFiles = ['index.js', 'index.json', 'index.node'];

function isFile(path) {
  const kind = stat(path);
  return kind === 0 || kind === 2;
}

// ES modules want the name of the main file written out.
function warnOfLookup(folder, { main }, found, base) {
  const isExact = main !== undefined && require('path').resolve(folder, main) === found;
  if (isExact || require('internal/modules/cjs/loader').formatOf(found) !== 'module') return;
  const file = found.slice(folder.length + 1);
  if (main === undefined) {
    warn(`No "main" or "exports" field defined in the package.json for ${folder}/ resolving the main ` +
      `entry point "${file}", imported from ${base}.\nDefault "index" lookups for the main are ` +
      'deprecated for ES modules.', 'DEP0151');
  } else {
    warn(`Package ${folder}/ has a "main" field set to "${main}", excluding the full filename and ` +
      `extension to the resolved file at "${file}", imported from ${base}.\n Automatic extension ` +
      'resolution of the "main" field is deprecated for ES modules.', 'DEP0151');
  }
}

function resolveMain(folder, config, base) {
  const { main } = config;
  const candidates = kIndexFiles.map((file) => `${folder}/${file}`);
  if (main !== undefined) {
    const path = require('path').resolve(folder, main); // may be absolute, as for require()
    candidates.unshift(...kMainEndings.map((ending) => path + ending));
  }
  const found = candidates.find(isFile);
  if (found !== undefined) {
    warnOfLookup(folder, config, found, base);
    return pathToUrl(found);
  }
  const error = new ERR_MODULE_NOT_FOUND(require('path').resolve(folder, main ?? 'index.js'), base);
  error.stack = error.stack.replace(' [ERR_MODULE_NOT_FOUND]', ''); // as Node has it, which makes it in C++
  throw error;
}

function readConfig(path, specifier, base) {
  try {
    return packageJson.read(path);
  } catch {
    throw packageJson.invalidConfig(path, `"${specifier}" from ${base}`);
  }
}

function resolveInFolder(folder, subpath, specifier, base, conditions) {
  const config = readConfig(`${folder}/package.json`, specifier, base);
  if (config.exports != null) return resolveExports(config, subpath, base, conditions);
  if (subpath === '.') return resolveMain(folder, config, base);
  return inPackage(folder, subpath);
}

function resolveMapped(specifier, base, conditions) {
  const mapped = packageMap.findMapped(specifier, base);
  if (mapped === undefined) throw new ERR_MODULE_NOT_FOUND(specifier, base);
  // The URL of a folder may end in a slash.
  const folder = mapped.folder.endsWith('/') ? mapped.folder.slice(0, -1) : mapped.folder;
  return resolveInFolder(folder, mapped.subpath, specifier, base, conditions);
}

// The URL of a package or of a file in it, seen from the file `base`.
function resolvePackage(specifier, base, conditions) {
  if (publicIds.has(specifier)) return `node:${specifier}`;
  if (packageMap.state.file !== undefined) return resolveMapped(specifier, base, conditions);
  const { name, subpath } = parsePackageName(specifier, base);

  const scope = packageJson.scopeOf(base);
  if (scope.exists && scope.name === name && scope.exports != null) {
    return resolveExports(scope, subpath, base, conditions);
  }

  let folder = base;
  do {
    folder = folder.slice(0, folder.lastIndexOf('/'));
    const packageFolder = `${folder}/node_modules/${name}`;
    const kind = stat(packageFolder);
    if (kind !== 1 && kind !== 3) continue;
    return resolveInFolder(packageFolder, subpath, specifier, base, conditions);
  } while (folder !== '');
  throw new ERR_MODULE_NOT_FOUND(name, base);
}

// The folder of a package that the file `base` would import by its name.
function findPackageFolder(specifier, base) {
  const { name } = parsePackageName(specifier, base);
  const scope = packageJson.scopeOf(base);
  if (scope.exists && scope.name === name && scope.exports != null) return scope.folder;
  let folder = base;
  do {
    folder = folder.slice(0, folder.lastIndexOf('/'));
    const packageFolder = `${folder}/node_modules/${name}`;
    if (packageJson.read(`${packageFolder}/package.json`).exists) return packageFolder;
  } while (folder !== '');
  throw new ERR_MODULE_NOT_FOUND(name, base);
}

module.exports = { findPackageFolder, pathToUrl, resolveExports, resolveImports, resolvePackage };
