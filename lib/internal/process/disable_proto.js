'use strict';
// --disable-proto, for the Object.prototype of this context or of one of node:vm.

const { ERR_PROTO_ACCESS } = require('internal/errors').codes;

function forbid() {
  throw new ERR_PROTO_ACCESS();
}

module.exports = function disableProto(prototype, mode) {
  delete prototype.__proto__;
  if (mode !== 'throw') return;
  Object.defineProperty(prototype, '__proto__', {
    __proto__: null, get: forbid, set: forbid, enumerable: false, configurable: true,
  });
};
