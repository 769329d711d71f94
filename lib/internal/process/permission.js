'use strict';
// The permission model: what --permission leaves to a program, and the --allow-... options give back.
//
// isGranted() and check() are asked where something is begun: here and there in lib/, and for files by the guards
// that permission_guards.js puts before the functions of C++. Without --permission everything is granted.

const path = require('path');
const { getOptionValue } = require('internal/options');
const { validateString } = require('internal/validators');

// What has() and drop() call it: its name in errors, the option that grants it, its channel of diagnostics.
const scopes = {
  '__proto__': null,
  'fs': ['FileSystem', '', 'fs'],
  'fs.read': ['FileSystemRead', '--allow-fs-read', 'fs'],
  'fs.write': ['FileSystemWrite', '--allow-fs-write', 'fs'],
  'child': ['ChildProcess', '--allow-child-process', 'child'],
  'wasi': ['WASI', '--allow-wasi', 'wasi'],
  'worker': ['WorkerThreads', '--allow-worker', 'worker'],
  'inspector': ['Inspector', '--allow-inspector', 'inspector'],
  'net': ['Net', '--allow-net', 'net'],
  'addon': ['Addon', '--allow-addons', 'addon'],
  'ffi': ['FFI', '--allow-ffi', 'ffi'],
  'openssl.store': ['OpenSSLStore', '--allow-openssl-store', 'openssl-store'],
};

const state = {
  isEnabled: false,
  isAudit: false, // what is not granted happens nevertheless, and subscribers are notified
  granted: new Set(), // of the scopes without a path
  paths: undefined, // { 'fs.read', 'fs.write' }: PathList
};

// ---- Paths -------------------------------------------------------------------------------------------------------

// Files, and folders with all that is in them. An asterisk ends a path: all paths with that prefix are meant.
class PathList {
  #all = false;
  #patterns = [];

  static #pattern(file) {
    const full = path.resolve(file);
    return binding('modules').stat(full) === 1 ? path.join(full, '*') : full;
  }

  allow(file) {
    if (file === '*') this.#all = true;
    else this.#patterns.push(PathList.#pattern(file));
  }

  // Without a path: of everything. A part of everything cannot be taken away, nor a part of a folder.
  drop(file) {
    if (!file) {
      this.#all = false;
      this.#patterns = [];
    } else if (!this.#all) {
      const dropped = PathList.#pattern(file);
      this.#patterns = this.#patterns.filter((pattern) => pattern !== dropped);
    }
  }

  has(file) {
    if (this.#all) return true;
    if (!file) return false;
    const full = path.resolve(file);
    for (let i = 0; i < this.#patterns.length; i++) {
      const pattern = this.#patterns[i];
      const star = pattern.indexOf('*');
      if (star === -1 ? full === pattern : `${full}/`.startsWith(pattern.slice(0, star))) return true;
    }
    return false;
  }
}

// ---- Questions ---------------------------------------------------------------------------------------------------

function holds(scope, resource) {
  const { paths } = state;
  if (scope === 'fs') return paths['fs.read'].has() && paths['fs.write'].has();
  return paths[scope] === undefined ? state.granted.has(scope) : paths[scope].has(resource);
}

let isPublishing = false; // a subscriber may do what is denied as well

function publish(scope, resource, drop = undefined) {
  const { channel } = require('diagnostics_channel');
  const denials = channel(`node:permission-model:${scopes[scope][2]}`);
  if (isPublishing || !denials.hasSubscribers) return;
  isPublishing = true;
  try {
    denials.publish({ permission: scopes[scope][0], resource, drop });
  } finally {
    isPublishing = false;
  }
}

function isGranted(scope, resource = '') {
  if (!state.isEnabled) return true;
  const granted = holds(scope, resource);
  if (!granted) publish(scope, resource);
  return granted;
}

function accessDenied(scope, resource) {
  const [permission, option] = scopes[scope];
  const advice = option === '' ? '' : `Use ${option} to manage permissions.`;
  const error = new Error(`Access to this API has been restricted. ${advice}`);
  error.code = 'ERR_ACCESS_DENIED';
  error.permission = permission;
  error.resource = resource;
  return error;
}

// The error for what is denied, or undefined.
function denial(scope, resource = '') {
  return isGranted(scope, resource) || state.isAudit ? undefined : accessDenied(scope, resource);
}

function check(scope, resource) {
  const error = denial(scope, resource);
  if (error !== undefined) throw error;
}

// ---- process.permission ------------------------------------------------------------------------------------------

function validateReference(reference) {
  if (reference != null && !require('buffer').Buffer.isBuffer(reference)) validateString(reference, 'reference');
}

function has(scope, reference) {
  validateString(scope, 'scope');
  validateReference(reference);
  if (scopes[scope] === undefined) return false;
  if (reference === undefined) return isGranted(scope);
  const resource = `${reference}`;
  return resource !== '' && isGranted(scope, resource);
}

function drop(scope, reference) {
  validateString(scope, 'scope');
  validateReference(reference);
  if (scopes[scope] === undefined) return;
  const resource = reference === undefined ? '' : `${reference}`;
  if (scope === 'fs' || state.paths[scope] !== undefined) {
    for (const name of scope === 'fs' ? Object.keys(state.paths) : [scope]) state.paths[name].drop(resource);
  } else {
    state.granted.delete(scope);
  }
  publish(scope, resource, true);
}

// ---- At the start ------------------------------------------------------------------------------------------------

const dangerous = [
  ['--allow-addons', 'PERM0001'],
  ['--allow-child-process', 'PERM0002'],
  ['--allow-inspector', 'PERM0004'],
  ['--allow-wasi', 'PERM0005'],
  ['--allow-worker', 'PERM0006'],
  ['--allow-openssl-store', 'PERM0007'],
];

function warn() {
  for (const [option, code] of dangerous) {
    if (!getOptionValue(option)) continue;
    process.emitWarning(`The flag ${option} must be used with extreme caution. ` +
      'It could invalidate the permission model.', 'SecurityWarning', code);
  }
  if (getOptionValue('--allow-net')) {
    process.emitWarning('The flag --allow-net is under experimental phase.', 'ExperimentalWarning');
  }
  for (const option of ['--allow-fs-read', '--allow-fs-write']) {
    const values = getOptionValue(option) ?? [];
    if (values.length === 1 && values[0].includes(',')) {
      process.emitWarning(`The ${option} CLI flag has changed. ` +
        'Passing a comma-separated list of paths is no longer valid. ' +
        'Documentation can be found at https://nodejs.org/api/permissions.html#file-system-permissions', 'Warning');
    }
  }
}

// Without --permission the other options mean a mistake.
function requirePermission() {
  const { ERR_MISSING_OPTION } = require('internal/errors').codes;
  for (const scope of Object.keys(scopes)) {
    const value = scopes[scope][1] === '' ? undefined : getOptionValue(scopes[scope][1]);
    if (value && value.length !== 0) throw new ERR_MISSING_OPTION('--permission');
  }
}

// `entries`: the files of the program, which may be read in any case.
function start(process, entries) {
  state.isAudit = getOptionValue('--permission-audit') === true;
  if (!getOptionValue('--permission') && !state.isAudit) {
    requirePermission();
    return;
  }
  state.paths = { '__proto__': null, 'fs.read': new PathList(), 'fs.write': new PathList() };
  for (const scope of Object.keys(scopes)) {
    const value = scopes[scope][1] === '' ? undefined : getOptionValue(scopes[scope][1]);
    if (value === true) state.granted.add(scope);
  }
  for (const file of [...getOptionValue('--allow-fs-read') ?? [], ...entries]) state.paths['fs.read'].allow(file);
  for (const file of getOptionValue('--allow-fs-write') ?? []) state.paths['fs.write'].allow(file);
  state.isEnabled = true;
  if (!state.granted.has('addon')) require('internal/modules/conditions').removeCondition('node-addons');
  require('internal/process/permission_guards').install({ check, denial, isGranted, lstatDenial });

  process.binding = { binding() {
    const { ERR_ACCESS_DENIED } = require('internal/errors').codes;
    throw new ERR_ACCESS_DENIED('process.binding');
  } }.binding;
  // A program must not change what a path means.
  Object.freeze(path);
  Object.defineProperty(process, 'permission', {
    __proto__: null, value: { has, drop }, enumerable: true, configurable: false, writable: false,
  });
  warn();
}

// ---- Child processes ---------------------------------------------------------------------------------------------

// NODE_OPTIONS for a child, which must not be allowed more: undefined if it says something of permissions itself.
function optionsForChild(inherited, args) {
  const isOwn = (word) => word === '--permission' || word === '--permission-audit';
  if (args.some(isOwn) || (inherited ?? '').split(/\s+/).some(isOwn)) return undefined;
  const words = [getOptionValue('--permission') ? '--permission' : '--permission-audit'];
  for (const scope of Object.keys(scopes)) {
    const option = scopes[scope][1];
    const value = option === '' ? undefined : getOptionValue(option);
    if (value === true) words.push(option);
    else if (Array.isArray(value)) words.push(...value.map((item) => `${option}=${item}`));
  }
  return inherited ? `${inherited} ${words.join(' ')}` : words.join(' ');
}

// Of what has a path, but is not asked by C++'s side of it.
function lstatDenial(file) {
  if (!state.isEnabled || isGranted('fs.read', `${file}`) || state.isAudit) return undefined;
  const { ERR_ACCESS_DENIED } = require('internal/errors').codes;
  return new ERR_ACCESS_DENIED('Access to this API has been restricted', 'FileSystemRead', `${file}`);
}

module.exports = { check, denial, isGranted, lstatDenial, optionsForChild, start, state };
