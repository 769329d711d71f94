'use strict';
// Builtins that come from npm packages ("deps/readable-stream/lib/stream") require each other by
// relative paths, and other packages by their names, for which we have modules of our own. They are
// functions of (exports, require, module) only: some of them have a variable `process`.

const kPackages = {
  '__proto__': null,
  'abort-controller': 'internal/abort_controller',
  'process/': 'process',
};

// The id of the builtin that `request` means in the builtin `from`.
function resolveDependency(from, request) {
  if (request[0] !== '.') return kPackages[request] ?? request.replace(/\/$/, '');
  const segments = from.split('/');
  segments.pop();
  request.split('/').forEach((segment) => {
    if (segment === '..') segments.pop();
    else if (segment !== '.') segments.push(segment);
  });
  return segments.join('/').replace(/\.js$/, '');
}

module.exports = { resolveDependency };
