'use strict';
// Runs a script under real Node, with the modules of our lib/ in place of Node's own:
//
//     node --expose-internals tests/lib/under_node.js script.js
//
// A module of ours is a function of (exports, require, module, process, binding): `require` finds
// modules of lib/ only, `binding` what the runtime does in C++, here taken from Node.

const fs = require('fs');
const path = require('path');
const Module = require('module');
const vm = require('vm');
const { internalBinding } = require('internal/test/binding');

const lib = path.resolve(__dirname, '../../lib');
const packages = path.resolve(__dirname, '../../build/js/node_modules');
const cache = new Map();

function fileOf(id) {
  const own = path.join(lib, id + '.js'); // also in place of a package's file
  return id.startsWith('deps/') && !fs.existsSync(own) ? path.join(packages, id.slice(5) + '.js') : own;
}

function exists(id) {
  return fs.existsSync(fileOf(id));
}

function requireOf(id) {
  if (!id.startsWith('deps/')) return load;
  const { resolveDependency } = load('internal/modules/deps');
  return (request) => load(resolveDependency(id, request));
}

function load(id) {
  id = id.replace(/^node:/, '');
  if (cache.has(id)) return cache.get(id).exports;
  if (!exists(id)) return require(id); // not written yet: Node's
  const filename = fileOf(id);
  const module = { id, exports: {}, loaded: false };
  cache.set(id, module);
  const parameters = ['exports', 'require', 'module', 'process', 'binding'];
  if (id.startsWith('deps/')) parameters.length = 3; // they have variables of such names
  const wrapper = vm.compileFunction(fs.readFileSync(filename, 'utf8'), parameters, { filename });
  wrapper(module.exports, requireOf(id), module, process, internalBinding);
  module.loaded = true;
  return module.exports;
}

// From here on the script's own require() gets ours where we have it.
const original = Module._load;
Module._load = function (request, parent, isMain) {
  const id = request.replace(/^node:/, '');
  if (!id.startsWith('internal/') && !id.startsWith('.') && exists(id)) return load(id);
  return original.call(this, request, parent, isMain);
};

const script = path.resolve(process.argv[2]);
process.argv.splice(1, 2, script);
Module._load(script, null, true);
