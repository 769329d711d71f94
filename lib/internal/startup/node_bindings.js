'use strict';
// The parameter `internalBinding` of the files that are Node's own (docs/javascript.md): what they take from Node's
// bindings, by Node's names.

const { uncurry } = require('internal/util/safe');

// Bytes from one ArrayBuffer into another.
function copyArrayBuffer(target, targetOffset, source, sourceOffset, byteLength) {
  new Uint8Array(target, targetOffset, byteLength).set(new Uint8Array(source, sourceOffset, byteLength));
}

// For streams directly on a handle, which only quic and Node's tests of the adapters make.
class WriteWrap {}
class ShutdownWrap {}

// The class does not exist with --enable-sharedarraybuffer-per-context.
const getGrowable = typeof SharedArrayBuffer === 'undefined' ? () => false :
  Object.getOwnPropertyDescriptor(SharedArrayBuffer.prototype, 'growable').get;

const tables = {
  __proto__: null,
  buffer: () => ({ copyArrayBuffer, isUtf8: require('buffer').isUtf8 }),
  cares_wrap: () => ({ canonicalizeIP: binding('crypto').canonicalizeIP }),
  constants: () => ({
    ...binding('constants'),
    zlib: require('internal/zlib/constants'),
    // Starts OpenSSL, which few programs need.
    get crypto() { return binding('crypto').constants; },
  }),
  crypto: () => require('internal/crypto/binding'),
  messaging: () => ({
    ...binding('messaging'),
    DOMException: require('internal/errors/dom_exception'),
    get QuotaExceededError() { return require('internal/errors/quota_exceeded_error'); },
  }),
  stream_wrap: () => ({
    ShutdownWrap, WriteWrap, kReadBytesOrError: 0, kArrayBufferOffset: 1, kLastWriteWasAsync: 3,
    streamBaseState: new Int32Array(5),
  }),
  util: () => ({ ...binding('util'), getSharedArrayBufferGrowable: uncurry(getGrowable) }),
};

module.exports = function internalBinding(name) {
  return tables[name] === undefined ? binding(name) : tables[name]();
};
