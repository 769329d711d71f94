// rondo-test: option=--no-warnings
'use strict';
// What the public modules and the globals consist of: for each object that can be reached from them the names of its properties, how each is defined
// ("value", "getter"; E enumerable, C configurable, W writable), of functions the number of parameters, and what it inherits from.
//
// Not compared: names that begin with an underscore, symbols of Node's own, the names of functions, and whether a function can be
// called with `new` (its own property "prototype"), which no documentation promises.
const { builtinModules } = require('module');

// Where we differ, and why.
const kDifferent = new Set([
  'module.prototype.parent', // the same accessor, deprecated: its functions have other names
  'module.prototype.require.main', // undefined where nothing is run as the main program
  'net.BlockList', 'net.SocketAddress', 'readline.promises', // a value here and a getter there, or the other way
  'crypto.constants.defaultCipherList', // becomes a value when it is first read
  'process.moduleLoadList', // the modules that Node has
  'perf_hooks.createSlidingWindowHistogram', 'perf_hooks.importHistogram',
  'repl.REPLServer', // the methods are those of a class below it
  'http.globalAgent.domain', // depends on what was loaded first
  'http.IncomingMessage.prototype.rawHeaders', 'http.IncomingMessage.prototype.rawTrailers', // made when they are read
  'buffer.Buffer.Symbol(Symbol.species)', // the number of its parameters: V8 makes such objects more slowly if it is changed
  'fs.Stats.prototype.inherits.constructor', 'vm.Script.prototype.inherits.constructor', // no classes of C++ here
]);
// Objects whose properties depend on the machine or the run, or are made otherwise: base classes of C++, and of readline
// and REPL, where Node has a class more.
const kPassedOver = /^process\.(env|config|versions|release|features|report|mainModule|allowedNodeEnvironmentFlags|moduleLoadList|_|std)|^(https?|_http_agent)\.globalAgent\.|^console\._|^repl\.|^readline\.Interface|^readline\/promises\.Interface|^node:sqlite\.inherits|^globalThis\.(process|console)\.|inherits\.(inherits|Stats)|^(fs\.Stats|vm\.Script|crypto\.KeyObject|zlib\.\w+|perf_hooks\.Performance)\.inherits|nodeTiming|^v8\.startupSnapshot|^inspector|^cluster\.|^node:ffi|^require|^test|^node:test/;

const intrinsics = new Map();
for (const name of Object.getOwnPropertyNames(globalThis)) {
  const { value } = Object.getOwnPropertyDescriptor(globalThis, name);
  if (typeof value !== 'function' || !/^function \w*\(\) \{ \[native code\] \}$/.test(Function.prototype.toString.call(value)) || !/^[A-Z]/.test(name)) continue;
  if (name === 'Storage' || name === 'URLPattern') continue; // of C++ there
  intrinsics.set(value, name).set(value.prototype, `${name}.prototype`);
}
for (const value of [Math, JSON, Reflect, Atomics, Intl, WebAssembly, globalThis.Temporal]) intrinsics.set(value, 'intrinsic');
for (const example of [async () => {}, function* () {}, async function* () {}, [][Symbol.iterator](), new Uint8Array()]) {
  for (let one = Object.getPrototypeOf(example); one !== Object.prototype && one !== null; one = Object.getPrototypeOf(one)) {
    if (one !== Function.prototype && !intrinsics.has(one)) intrinsics.set(one, 'intrinsic').set(one.constructor, 'intrinsic');
  }
}

const seen = new Map();
const queue = [];
function visit(value, path) {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function') || intrinsics.has(value) || seen.has(value)) return;
  seen.set(value, path);
  if (!kPassedOver.test(path)) queue.push([path, value]);
}

const isPublic = (key) => (typeof key === 'symbol' ? /^Symbol\((Symbol\.|nodejs\.)/.test(String(key)) : !key.startsWith('_'));

function show(path, object) {
  const parts = [];
  const prototype = Object.getPrototypeOf(object);
  const keys = Reflect.ownKeys(object).filter(isPublic).sort((a, b) => (String(a) < String(b) ? -1 : 1));
  for (const key of keys) {
    if (typeof object === 'function' && (key === 'name' || key === 'length')) continue;
    const where = `${path}.${String(key)}`;
    if (kDifferent.has(where) || (typeof object === 'function' && key === 'prototype' && Reflect.ownKeys(object.prototype ?? {}).length < 2)) continue;
    const descriptor = Object.getOwnPropertyDescriptor(object, key);
    const flags = (descriptor.enumerable ? 'E' : '') + (descriptor.configurable ? 'C' : '') + (descriptor.writable ? 'W' : '');
    let { value } = descriptor;
    let text = `${String(key)} ${flags}`;
    if (!('value' in descriptor)) {
      text += ` ${descriptor.get ? 'getter' : ''}${descriptor.set ? 'setter' : ''}`;
      if (!path.includes('prototype') && !path.includes('inherits')) value = object[key];
    }
    if (typeof value === 'function') text += ` (${value.length})`;
    else if (typeof value === 'object' || typeof value === 'undefined') text += ` ${value === null ? 'null' : typeof value}`;
    else if (/constants|codes/.test(path) || typeof value === 'boolean') text += ` ${String(value)}`;
    else text += ` ${typeof value}`;
    parts.push(text);
    if (key !== 'constructor') visit(value, where);
  }
  if (path === 'node:sqlite') { /* its prototype is an object of C++ there */ }
  else if (nameOf(prototype) !== undefined) parts.push(`inherits ${nameOf(prototype)}`);
  else visit(prototype, `${path}.inherits`);
  if (!Object.isExtensible(object)) parts.push('not extensible');
  console.log(`${path}: ${parts.join('; ')}`);
}

function nameOf(prototype) {
  return prototype === null ? 'null' : intrinsics.get(prototype) ?? seen.get(prototype);
}

const names = builtinModules.filter((name) => !name.startsWith('_') && name !== 'node:ffi').sort();
console.log(builtinModules.filter((name) => name !== 'node:ffi').join(' '));
for (const name of names) visit(require(name), name);
visit(globalThis, 'globalThis');
while (queue.length > 0) {
  const [path, value] = queue.shift();
  if (Array.isArray(value) || ArrayBuffer.isView(value) || path.split('.').length > 8) continue;
  show(path, value);
}
