for (const id of ['assert', 'assert/strict', 'async_hooks', 'console', 'diagnostics_channel', 'events', 'module', 'os', 'path', 'path/posix', 'path/win32', 'perf_hooks', 'process', 'punycode', 'querystring', 'string_decoder', 'timers', 'timers/promises', 'url', 'util', 'util/types', 'v8', 'vm']) {
  if (id !== 'punycode') console.log(id, require(id) === require(`node:${id}`), require('module').isBuiltin(id));
}
console.log(require('module').isBuiltin('nope'), require('module').isBuiltin('node:fs'), require('module').isBuiltin('test'), require('module').isBuiltin('node:test'));
