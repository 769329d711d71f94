'use strict';
// ZIP archives, as node:zlib shows them: the classes and functions of internal/zip (Node's text), which warn when they are
// used that they are experimental.

const zip = require('internal/zip');
const { emitExperimentalWarning } = require('internal/util');

function warn() {
  emitExperimentalWarning('The zlib ZIP archive API');
}

// Without a name, as Node's are.
function warning(run, receiver) {
  return function(...args) {
    warn();
    return Reflect.apply(run, receiver, args);
  };
}

// A class under the same name, whose factories warn. What they make is of the class itself.
function warningClass(Class, factories) {
  const Shown = Class === zip.ZipBuffer ? class extends Class {
    constructor(buffer) {
      warn();
      super(buffer);
    }
  } : class extends Class {};
  Object.defineProperty(Shown, Symbol.hasInstance, {
    __proto__: null, configurable: true, writable: true, value: (instance) => instance instanceof Class,
  });
  for (const name of factories) {
    Object.defineProperty(Shown, name, {
      __proto__: null, configurable: true, writable: true, value: warning(Class[name], Class),
    });
  }
  return Object.defineProperty(Shown, 'name', { __proto__: null, value: Class.name });
}

module.exports = {
  ZipEntry: warningClass(zip.ZipEntry, ['read', 'create', 'createSync', 'createStream', 'createSymlink']),
  ZipFile: warningClass(zip.ZipFile, ['open', 'openSync']),
  ZipBuffer: warningClass(zip.ZipBuffer, []),
};
for (const name of [
  'createZipArchive', 'createZipArchiveSync', 'zipFiles', 'getMaxZipContentSize', 'setMaxZipContentSize',
]) {
  module.exports[name] = warning(zip[name]);
}
