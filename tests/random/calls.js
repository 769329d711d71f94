'use strict';
// Functions and classes of the modules, and of objects that they make, called with arguments of any kind: what comes back, by its kind, or the error.
// Left out is what depends on the machine or the time, or acts on more than the call.

const util = require('node:util');
const { Random } = require('./random.js');

// By module: the names that are left out.
const kModules = {
  zlib: /^(Zip|zip|createZip)/,
  util: /^(getCallSite|debug|setTraceSigInt|aborted|_exceptionWithHostPort)/,
  buffer: /^INSPECT/,
  os: /^(cpus|freemem|loadavg|networkInterfaces|totalmem|uptime|userInfo|[gs]etPriority|hostname|version|release)/,
  v8: /^(get|write|setFlags|start|stop|take|query|setHeap|cached|GC|deserialize)/,
  vm: /^measureMemory/,
  querystring: /^$/, url: /^$/, path: /^$/, string_decoder: /^$/, tty: /Stream/, wasi: /^$/, stream: /^$/,
  fs: /^(watch|rm|open|create|mk|write|append|rename|trunc|copy|cp|exists|glob|close|read$|readSync|readv|promises|Read|Write|File|Dir|f[a-z]|_to|.*[lL]ink|.*chmod|.*chown|.*utimes|statfs)/,
  dns: /^(lookup|resolve|reverse|Resolver|[gs]etServers)/,
  dgram: /^$/,
  timers: /^promises/,
  perf_hooks: /^(performance|monitor|eventLoopU|importH|createSliding)/,
  crypto: /^(random|generate|get(Random|Fips)|setFips|setEngine|secureHeap|diffieHellman$|DiffieHellman|webcrypto|subtle|.*[pP]rime|createDiffieHellman$|scrypt|pbkdf2|private|public|createP|sign$|verify$|X509|create(Sign|Verify)|Sign|Verify|Hash|Hmac|create|Decip|Cip|encap|decap|hash$)/,
};
const kGlobals = ['atob', 'btoa', 'structuredClone', 'Blob', 'File', 'TextDecoder', 'TextEncoder', 'AbortController', 'Event', 'CustomEvent',
  'EventTarget', 'DOMException', 'ReadableStream', 'WritableStream', 'TransformStream', 'ByteLengthQueuingStrategy', 'CountQueuingStrategy',
  'TextEncoderStream', 'TextDecoderStream', 'CompressionStream', 'DecompressionStream', 'Headers', 'Request', 'Response', 'FormData', 'URL',
  'URLSearchParams', 'URLPattern', 'Crypto', 'CryptoKey', 'SubtleCrypto', 'PerformanceMark', 'PerformanceMeasure', 'QuotaExceededError', 'MessageEvent',
  'CloseEvent', 'ErrorEvent', 'queueMicrotask', 'setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate', 'Storage'];
// Of objects.
const kNotCalled = /^(_|constructor$|on|emit|addListener|once|off|remove|prepend|rawL|listen|eventN|setMaxL|getMaxL|domain|timeStamp|startTime|handle|createCachedData|lastModified|stack|asyncId|asIndexed)/;

process.removeAllListeners('warning');
process.on('unhandledRejection', () => {});
process.on('uncaughtException', () => {}); // a function that was given may throw later

// Written at the end: a call may have changed how standard output is written.
const lines = [];
const print = (...parts) => lines.push(parts.join(' '));

class Plain { x = 1; }

function makeError() {
  const error = new Error('e');
  error.stack = 'Error: e'; // some failed calls leave Error.stackTraceLimit at 0 in Node
  return error;
}

const makeValues = () => [undefined, null, 0, 1, -1, NaN, Infinity, 1.5, 2 ** 31, 2 ** 32, 2 ** 53, -0, 1n, '', 'a', 'utf8', 'hex', 'none', 'sha256', '1', true, false,
  {}, { length: 2 }, [], [1, 2], ['a'], () => {}, Symbol('s'), Symbol.iterator, Buffer.from('abc'), Buffer.alloc(0), Buffer.alloc(32), new Uint16Array([1, 2]),
  new ArrayBuffer(8), new DataView(new ArrayBuffer(4)), new SharedArrayBuffer(4), new Date(0), /re/g, new Map([[1, 2]]), new Set([1]), makeError(), '/none', '.',
  { encoding: 'utf8' }, { signal: 5 }, { signal: AbortSignal.abort(new Error('why')) }, { highWaterMark: 0 }, { level: 9 }, { chunkSize: 1 }, { windowBits: 9 },
  { maxOutputLength: 1 }, { timeout: 100_000 }, { outputLength: 4 }, { __proto__: null, a: 1 }, new Plain(), Object(1), '\ud800', '\u00e9\u20ac\u{1f600}', 'x'.repeat(300)];

function show(value) {
  if (typeof value === 'function') return `function ${value.length}`;
  if (value === null || typeof value !== 'object') return util.inspect(value).slice(0, 200);
  if (Array.isArray(value)) return `Array ${value.length}`;
  const name = value.constructor?.name;
  if (value instanceof Error) return `${name} ${value.code} ${value.message}`;
  return ArrayBuffer.isView(value) ? `${name} ${value.length}` : String(name);
}

// Ends what a call has begun.
function end(value) {
  if (value === null || typeof value !== 'object') return;
  if (typeof value.hasRef === 'function') {
    clearTimeout(value);
    clearImmediate(value);
  } else if (typeof value.destroy === 'function') {
    if (typeof value.on === 'function') value.on('error', () => {});
    value.destroy();
  } else if (typeof value.bind === 'function' && typeof value.close === 'function') {
    value.close();
  } else if (typeof value.then === 'function') {
    value.then(() => {}, () => {});
  }
}

function attempt(label, call) {
  let result;
  try {
    result = call();
    print(label, show(result));
  } catch (error) {
    // What V8 says of a wrong value names the expression.
    const isOurs = error?.code !== undefined || error instanceof DOMException;
    print(label, 'throws', error?.name, error?.code, isOurs ? error.message : '');
  }
  return result;
}

const functions = [];
for (const id of Object.keys(kModules)) {
  const exports = require(`node:${id}`);
  for (const name of Object.getOwnPropertyNames(exports).sort()) {
    if (kModules[id].test(name) || typeof exports[name] !== 'function') continue;
    functions.push([`${id}.${name}`, exports[name], /^[A-Z]/.test(name), exports]);
  }
}
for (const name of kGlobals) functions.push([name, globalThis[name], /^[A-Z]/.test(name), undefined]);

function callMembers(object, random) {
  const members = [];
  for (let one = object; one && one !== Object.prototype; one = Object.getPrototypeOf(one)) {
    for (const name of Object.getOwnPropertyNames(one)) {
      if (!kNotCalled.test(name)) members.push(name);
    }
  }
  members.sort();
  for (let i = 0; i < 2 && members.length > 0; i++) {
    const name = random.pick(members);
    const values = makeValues();
    const args = Array.from({ length: random.below(3) }, () => random.pick(values));
    const result = attempt(`  .${name}(${args.map(show).join(', ')})`, () => (typeof object[name] === 'function' ? object[name](...args) : object[name]));
    end(result);
  }
}

function runProgram(seed) {
  const random = new Random(seed);
  for (let i = 0; i < 12; i++) {
    const [name, call, isClass, module] = random.pick(functions);
    const values = makeValues();
    const args = Array.from({ length: random.below(4) }, () => random.pick(values));
    const label = `${name}(${args.map(show).join(', ')})`;
    const made = isClass && random.chance(90);
    const result = attempt(label, () => (made ? Reflect.construct(call, args) : Reflect.apply(call, module, args)));
    if (made && result !== null && typeof result === 'object' && !ArrayBuffer.isView(result)) callMembers(result, random);
    try {
      end(result);
    } catch {
      // such as it is
    }
  }
}

const first = Number(process.argv[2]);
const count = Number(process.argv[3]);
for (let seed = first; seed < first + count; seed++) {
  print(`# seed ${seed}`);
  runProgram(seed);
}
process.stdout.write(`${lines.join('\n')}\n`, () => process.exit());
