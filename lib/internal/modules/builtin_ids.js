'use strict';
// Which modules of lib/ a program may ask for, and by which names.

const { getOptionValue } = require('internal/options');

// Node's list. Those that lib/ does not have are left out below.
const kPublic = `
  _http_agent _http_client _http_common _http_incoming _http_outgoing _http_server
  _tls_common _tls_wrap assert assert/strict async_hooks buffer child_process
  cluster console constants crypto dgram diagnostics_channel dns dns/promises domain events fs
  fs/promises http http2 https inspector inspector/promises module net os path path/posix
  path/win32 perf_hooks process punycode querystring readline readline/promises repl stream
  stream/consumers stream/promises stream/web string_decoder sys timers timers/promises tls
  trace_events tty url util util/types v8 vm wasi worker_threads zlib
`;

// These are found as "node:test" only: the plain names belong to packages.
const kSchemeOnly = ['sea', 'sqlite', 'test', 'test/reporters'];

// What Node does not have: "rondo:lens" is rondo/lens of lib/, and has no other name.
const ownIds = new Map([['rondo:lens', 'rondo/lens']]);

const available = new Set(binding('builtins').ids());
const publicIds = new Set(kPublic.trim().split(/\s+/).filter((id) => available.has(id)));
const schemeOnlyIds = new Set(kSchemeOnly.filter((id) => available.has(id)));
const builtinModules = [...publicIds, ...Array.from(schemeOnlyIds, (id) => `node:${id}`)];

// Which modules there are depends on options too: called when these are known.
function applyOptions() {
  if (getOptionValue('--experimental-sqlite') === false && schemeOnlyIds.delete('sqlite')) {
    builtinModules.splice(builtinModules.indexOf('node:sqlite'), 1);
  }
  if (getOptionValue('--experimental-stream-iter') === true) {
    for (const id of ['stream/iter', 'zlib/iter']) {
      publicIds.add(id);
      builtinModules.push(id);
    }
  }
  Object.freeze(builtinModules);
}

// For Node's own tests, which look at what is inside.
function isInternalExposed(id) {
  return getOptionValue('--expose-internals') === true && available.has(id);
}

// The id in lib/ for "fs", "node:fs", "node:test" or "rondo:lens"; undefined if none.
function builtinId(request) {
  if (publicIds.has(request)) return request;
  if (request.startsWith('internal/') && isInternalExposed(request)) return request;
  if (!request.startsWith('node:')) return ownIds.get(request);
  const id = request.slice(5);
  return publicIds.has(id) || schemeOnlyIds.has(id) ? id : undefined;
}

// Whether only the runtime itself can have modules of such a name.
function hasOwnScheme(request) {
  return request.startsWith('node:') || request.startsWith('rondo:');
}

function isBuiltin(moduleName) {
  return typeof moduleName === 'string' && builtinId(moduleName) !== undefined;
}

module.exports = { applyOptions, builtinId, builtinModules, hasOwnScheme, isBuiltin, publicIds };
