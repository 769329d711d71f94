'use strict';
// WebAssembly.compileStreaming() and instantiateStreaming(): from a Response, or a promise for one. It is read as a
// whole before it is compiled.

const { codes: { ERR_INVALID_ARG_TYPE, ERR_WEBASSEMBLY_RESPONSE } } = require('internal/errors');

// As they are at the start.
const { CompileError, compile, instantiate } = WebAssembly;

async function readBytes(source) {
  const response = await source;
  const { Response } = require('internal/web/undici');
  if (!(response instanceof Response)) {
    throw new ERR_INVALID_ARG_TYPE('source', ['Response', 'Promise resolving to Response'], response);
  }
  const type = response.headers.get('Content-Type');
  if (type !== 'application/wasm') throw new ERR_WEBASSEMBLY_RESPONSE(`has unsupported MIME type '${type}'`);
  if (!response.ok) throw new ERR_WEBASSEMBLY_RESPONSE(`has status code ${response.status}`);
  if (response.bodyUsed !== false) throw new ERR_WEBASSEMBLY_RESPONSE('body has already been used');
  return response.arrayBuffer();
}

// V8's errors begin with the name of the function.
function rename(error, to) {
  if (typeof error?.message === 'string') {
    const from = /^WebAssembly\.\w+\(\)/.exec(error.message)?.[0];
    if (from !== undefined) {
      const { stack } = error;
      error.message = error.message.replace(from, to);
      if (typeof stack === 'string') error.stack = stack.replace(from, to);
    }
  }
  return error;
}

async function compileSource(source, options, name) {
  const bytes = await readBytes(source);
  if (bytes.byteLength === 0) throw new CompileError(`${name}: expected 4 bytes, fell off end @+0`);
  try {
    return await Reflect.apply(compile, WebAssembly, [bytes, options]);
  } catch (error) {
    throw rename(error, name);
  }
}

function compileStreaming(source, options) {
  return compileSource(source, options, 'WebAssembly.compileStreaming()');
}

async function instantiateStreaming(source, imports, options) {
  const name = 'WebAssembly.instantiateStreaming()';
  if (imports !== undefined && (imports === null || (typeof imports !== 'object' && typeof imports !== 'function'))) {
    throw new TypeError(`${name}: Argument 1 must be an object`);
  }
  const module = await compileSource(source, options, name);
  return { module, instance: await Reflect.apply(instantiate, WebAssembly, [module, imports]) };
}

module.exports = { compileStreaming, instantiateStreaming };
