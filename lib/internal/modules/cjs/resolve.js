'use strict';
// How require() finds the file of a module. What every require() does works on arrays without
// their iterator, which programs may have taken away.

const path = require('path');
const {
  ERR_INVALID_ARG_TYPE,
  ERR_INVALID_ARG_VALUE,
  ERR_INVALID_MODULE_SPECIFIER,
} = require('internal/errors').codes;
const { builtinId } = require('internal/modules/builtin_ids');
const { conditions: defaults } = require('internal/modules/conditions');
const { isFolder, tryFile } = require('internal/modules/files');
const { read: readPackage, scopeOf, typeOf } = require('internal/modules/package_json');
const packageMap = require('internal/modules/package_map');
const { getOptionValue } = require('internal/options');
const { validateString } = require('internal/validators');
const { resolveExports, resolveImports } = require('internal/modules/package_resolve');

// Set by the loader, whose tables users may change.
let Module;
let ownFindPath;
let ownResolveLookupPaths;
// The folders of NODE_PATH and such, looked into last.
let globalFolders = [];

function setUp(ModuleClass) {
  Module = ModuleClass;
  ownFindPath = Module._findPath;
  ownResolveLookupPaths = Module._resolveLookupPaths;
}

// Done at each start: depends on the environment.
function initPaths() {
  const { HOME, NODE_PATH } = process.env;
  if (getOptionValue('--global-search-paths') === false) {
    globalFolders = [];
    Module.globalPaths = [];
    return;
  }
  const prefix = path.resolve(process.execPath, '..', '..');
  globalFolders = [path.resolve(prefix, 'lib', 'node')];
  if (HOME) {
    globalFolders.unshift(path.resolve(HOME, '.node_modules'), path.resolve(HOME, '.node_libraries'));
  }
  if (NODE_PATH) {
    globalFolders.unshift(...NODE_PATH.split(path.delimiter).filter(Boolean));
  }
  // A copy: what users do to it has no effect.
  Module.globalPaths = [...globalFolders];
}

// ---- Folders that are searched ----

const foldersAbove = new Map();

function findFoldersAbove(from) {
  if (from === '/') return ['/node_modules'];
  const folders = [];
  for (let end = from.length; end > 0; end = from.lastIndexOf('/', end - 1)) {
    const above = from.slice(0, end);
    if (!above.endsWith('/node_modules')) folders.push(`${above}/node_modules`);
  }
  folders.push('/node_modules');
  return folders;
}

function nodeModulePaths(from) {
  let folders = foldersAbove.get(from);
  if (folders === undefined) {
    const resolved = path.resolve(from);
    folders = findFoldersAbove(resolved);
    // A relative path means another folder at another time.
    if (resolved === from) foldersAbove.set(from, folders);
  }
  return folders.slice();
}

function isRelative(request) {
  return request[0] === '.' &&
    (request.length === 1 || request[1] === '/' || request[1] === '.');
}

function resolveLookupPaths(request, parent) {
  if (builtinId(request) !== undefined) return null;
  if (!isRelative(request)) {
    const folders = parent?.paths?.length ? parent.paths.concat(globalFolders) : globalFolders;
    return folders.length > 0 ? folders : null;
  }
  // What has no file, as the REPL, looks from the current folder.
  if (!parent || !parent.id || !parent.filename) return ['.'];
  return [path.dirname(parent.filename)];
}

// ---- Files and folders ----

function tryExtensions(basePath, extensions, isMain) {
  for (let i = 0; i < extensions.length; ++i) {
    const filename = tryFile(basePath + extensions[i], isMain);
    if (filename) return filename;
  }
  return false;
}

function tryPackage(folder, extensions, isMain, request) {
  const file = path.resolve(folder, 'package.json');
  const { main } = readPackage(file);
  const index = path.resolve(folder, 'index');
  if (!main) return tryExtensions(index, extensions, isMain);

  const target = path.resolve(folder, main);
  const found = tryFile(target, isMain) || tryExtensions(target, extensions, isMain) ||
    tryExtensions(path.resolve(target, 'index'), extensions, isMain);
  if (found) return found;

  const fallback = tryExtensions(index, extensions, isMain);
  if (!fallback) {
    const error = new Error(`Cannot find module '${target}'. ` +
      'Please verify that the package.json has a valid "main" entry');
    error.code = 'MODULE_NOT_FOUND';
    error.path = file;
    error.requestPath = request;
    throw error;
  }
  process.emitWarning(`Invalid 'main' field in '${file}' of '${main}'. ` +
    'Please either fix that or report it to the module author', 'DeprecationWarning', 'DEP0128');
  return fallback;
}

function notFound(request, file) {
  const error = new Error(`Cannot find module '${request}'`);
  error.code = 'MODULE_NOT_FOUND';
  if (file) error.path = file;
  return error;
}

// A URL that came out of "exports" or "imports" -> the file, which has to be there.
function fileOfUrl(url, parentPath, packageFolder) {
  if (/%2F|%5C/i.test(url)) {
    throw new ERR_INVALID_MODULE_SPECIFIER(url, 'must not include encoded "/" or "\\" characters',
      parentPath);
  }
  const filename = require('internal/url').fileURLToPath(url);
  const found = tryFile(filename);
  if (found) return found;
  throw notFound(filename, path.resolve(packageFolder, 'package.json'));
}

const kPackageRequest = /^((?:@[^/\\%]+\/)?[^./\\%][^/\\%]*)(\/.*)?$/;

// A request for a package with "exports" in one of the folders node_modules.
function tryExports(folder, request, conditions) {
  const match = kPackageRequest.exec(request);
  if (match === null) return false;
  const packageFolder = path.resolve(folder, match[1]);
  const config = readPackage(`${packageFolder}/package.json`);
  if (config.exports == null) return false;
  try {
    const url = resolveExports(config, `.${match[2] ?? ''}`, undefined, conditions);
    return fileOfUrl(url, undefined, packageFolder);
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') throw notFound(request, config.path);
    throw error;
  }
}

// A package that requires itself by its name.
function trySelf(parentPath, request, conditions) {
  if (!parentPath) return false;
  const config = scopeOf(parentPath);
  if (config.exports == null || config.name === undefined) return false;
  let subpath;
  if (request === config.name) subpath = '.';
  else if (request.startsWith(`${config.name}/`)) subpath = `.${request.slice(config.name.length)}`;
  else return false;
  try {
    const url = resolveExports(config, subpath, parentPath, conditions);
    return fileOfUrl(url, parentPath, config.folder);
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') throw notFound(request, config.path);
    throw error;
  }
}

function tryImports(request, parent, conditions) {
  const parentPath = parent?.filename ?? (parent?.id === '<repl>' ? `${process.cwd()}/` : undefined);
  if (!parentPath) return false;
  const config = scopeOf(parentPath);
  if (config.imports === undefined) return false;
  try {
    const url = resolveImports(request, parentPath, conditions);
    return fileOfUrl(url, parentPath, config.folder);
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') throw notFound(request);
    throw error;
  }
}

// A name that must be a folder: it ends in / or in a segment . or ..
function namesFolder(request) {
  return /(^|\/)\.{0,2}$/.test(request);
}

// "./a", "../a/b": a name for a file, or perhaps a folder, and nothing else.
const kPlainRelative = /^\.{1,2}\/(?:\.\.\/)*(?:[\w\-@+$][\w\-@+$.]*\/)*[\w\-@+$][\w\-@+$.]*$/;

// "/a/b.js": nothing in it that would have to be worked out.
const kPlainAbsolute = /^(?:\/[\w\-@+$][\w\-@+$.]*)+$/;

// The main program's name has been resolved. Asking so compiles no regular expression: it may be the only file of all.
function isPlain(request, isMain) {
  return isMain ? request !== '/' && path.resolve(request) === request : kPlainAbsolute.test(request);
}

function joinPlain(folder, request) {
  let rest = request.startsWith('./') ? request.slice(2) : request;
  while (rest.startsWith('../')) {
    folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0));
    rest = rest.slice(3);
  }
  return `${folder === '/' ? '' : folder}/${rest}`;
}

// What a module requires most: another file of its package.
function findPlain(request, parentPath) {
  const basePath = joinPlain(parentPath.slice(0, parentPath.lastIndexOf('/')), request);
  const found = tryFile(basePath, false);
  if (found) return found;
  for (const extension in Module._extensions) {
    const filename = tryFile(basePath + extension, false);
    if (filename) return filename;
  }
  return false;
}

function findPath(request, folders, isMain, conditions = defaults.require) {
  const isAbsolute = path.isAbsolute(request);
  if (isAbsolute) folders = [''];
  else if (!folders || folders.length === 0) return false;

  const cacheKey = `${request}\x00${folders.length === 1 ? folders[0] : folders.join('\x00')}`;
  const cached = Module._pathCache[cacheKey];
  if (cached) return cached;

  const isResolved = isAbsolute && isPlain(request, isMain);
  const mustBeFolder = !isResolved && namesFolder(request);
  // Only "../" leads out of a folder that is not there.
  const isBelow = !isAbsolute && !(isRelative(request) && path.normalize(request).startsWith('..'));
  let extensions;
  for (let i = 0; i < folders.length; ++i) {
    const folder = folders[i];
    if (isBelow && folder && !isFolder(folder)) continue;
    if (!isAbsolute) {
      const exported = tryExports(folder, request, conditions);
      if (exported) return exported;
    }
    const basePath = isResolved ? request : path.resolve(folder, request);
    let filename;
    if (!mustBeFolder) {
      filename = tryFile(basePath, isMain);
      if (!filename) {
        extensions ??= Object.keys(Module._extensions);
        filename = tryExtensions(basePath, extensions, isMain);
      }
    }
    if (!filename && isFolder(basePath)) {
      extensions ??= Object.keys(Module._extensions);
      filename = tryPackage(basePath, extensions, isMain, request);
    }
    if (filename) {
      Module._pathCache[cacheKey] = filename;
      return filename;
    }
  }
  return false;
}

const kNoFolders = [];

function foldersOfOptions(request, parent, { paths }) {
  if (paths === undefined) return Module._resolveLookupPaths(request, parent);
  if (!Array.isArray(paths)) throw new ERR_INVALID_ARG_VALUE('options.paths', paths);
  if (isRelative(request)) {
    if (paths.some((folder) => typeof folder !== 'string')) {
      throw new ERR_INVALID_ARG_TYPE('paths', 'array of strings', paths);
    }
    return paths;
  }
  for (let i = 0; i < paths.length; i++) validateString(paths[i], 'paths[0]'); // Node always says 0
  const from = new Module('', null);
  const folders = [];
  for (const folder of paths) {
    from.paths = Module._nodeModulePaths(folder);
    for (const found of Module._resolveLookupPaths(request, from)) {
      if (!folders.includes(found)) folders.push(found);
    }
  }
  return folders;
}

function foldersFor(request, parent, options) {
  if (typeof options === 'object' && options !== null) {
    return foldersOfOptions(request, parent, options);
  }
  // An absolute path is looked for in none of them.
  if (request[0] === '/' && Module._findPath === ownFindPath &&
      Module._resolveLookupPaths === ownResolveLookupPaths) {
    return kNoFolders;
  }
  return Module._resolveLookupPaths(request, parent);
}

function pathOfParent(parent) {
  if (!parent) return undefined;
  if (parent.filename) return parent.filename;
  if (parent.id !== '<repl>' && parent.id !== 'internal/preload') return undefined;
  try {
    return `${process.cwd()}/`;
  } catch {
    return undefined;
  }
}

// A package of --experimental-package-map. False if it is not there, undefined if the map does not
// apply.
function tryPackageMap(request, parent, conditions) {
  const parentPath = pathOfParent(parent);
  if (!parentPath) return undefined;
  const mapped = packageMap.findMapped(request, parentPath);
  if (mapped === undefined) return false;
  const config = readPackage(path.resolve(mapped.folder, 'package.json'));
  if (config.exports == null) {
    return Module._findPath(mapped.subpath, [mapped.folder], false, conditions);
  }
  try {
    const url = resolveExports(config, mapped.subpath, parentPath, conditions);
    return fileOfUrl(url, parentPath, config.folder);
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') throw notFound(mapped.subpath, config.folder);
    throw error;
  }
}

// False if nothing is found.
function resolveFilename(request, parent, isMain, options) {
  if (parent?.filename && Module._findPath === ownFindPath && options === undefined &&
      kPlainRelative.test(request) && parent.filename[0] === '/') {
    const found = findPlain(request, parent.filename);
    if (found) return found;
  }
  if (builtinId(request) !== undefined) return request;
  const conditions = options?.conditions ?? defaults.require;
  if (packageMap.state.file !== undefined && !isRelative(request) && !path.isAbsolute(request)) {
    const mapped = tryPackageMap(request, parent, conditions);
    if (mapped !== undefined) return mapped;
  }
  const folders = foldersFor(request, parent, options);

  if (request[0] === '#') {
    const imported = tryImports(request, parent, conditions);
    if (imported) return imported;
  }
  if (!isRelative(request)) {
    const own = trySelf(pathOfParent(parent), request, conditions);
    if (own) {
      Module._pathCache[`${request}\x00${folders.join('\x00')}`] = own;
      return own;
    }
  }
  return Module._findPath(request, folders, isMain, conditions);
}

module.exports = {
  findPath,
  initPaths,
  nodeModulePaths,
  readPackage,
  resolveFilename,
  resolveLookupPaths,
  scopeOf,
  setUp,
  typeOf,
};
