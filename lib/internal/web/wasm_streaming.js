'use strict';
// WebAssembly.compileStreaming() and instantiateStreaming(): gives V8 the body of a Response, piece by piece.

const { codes: { ERR_INVALID_ARG_TYPE, ERR_WEBASSEMBLY_RESPONSE } } = require('internal/errors');

const native = binding('wasm_streaming');

async function pass(compilation, source) {
  const response = await source;
  const { Response } = require('internal/web/undici');
  if (!(response instanceof Response)) {
    throw new ERR_INVALID_ARG_TYPE('source', ['Response', 'Promise resolving to Response'], response);
  }
  const type = response.headers.get('Content-Type');
  if (type !== 'application/wasm') throw new ERR_WEBASSEMBLY_RESPONSE(`has unsupported MIME type '${type}'`);
  if (!response.ok) throw new ERR_WEBASSEMBLY_RESPONSE(`has status code ${response.status}`);
  if (response.bodyUsed) throw new ERR_WEBASSEMBLY_RESPONSE('body has already been used');
  if (response.url) native.setUrl(compilation, response.url);
  const { body } = response;
  if (body == null) return;
  for await (const chunk of body) {
    if (!native.push(compilation, chunk)) {
      throw new ERR_INVALID_ARG_TYPE('chunk', ['ArrayBufferView', 'ArrayBuffer'], chunk);
    }
  }
}

module.exports = function compileFrom(compilation, source) {
  pass(compilation, source).then(() => native.finish(compilation), (error) => native.abort(compilation, error));
};
