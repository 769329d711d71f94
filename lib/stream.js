'use strict';
// node:stream. The streams themselves are those of the package readable-stream, which are Node's; here
// they are put together under the names that node:stream has.

const internals = 'deps/readable-stream/lib/internal/streams';

const { Stream } = require(`${internals}/legacy`);
module.exports = Stream; // what is loaded below asks for it

const { AbortError, codes: { ERR_ILLEGAL_CONSTRUCTOR } } = require('internal/errors');
const { isArrayBufferView } = require('internal/util/types');
const utils = require(`${internals}/utils`);

Stream.isDestroyed = utils.isDestroyed;
Stream.isDisturbed = utils.isDisturbed;
Stream.isErrored = utils.isErrored;
Stream.isReadable = utils.isReadable;
Stream.isWritable = utils.isWritable;

Stream.Readable = require(`${internals}/readable`);

// map(), filter() and the others: those that give a stream, and those that give a promise.
function addOperators(operators, give) {
  for (const [key, operator] of Object.entries(operators)) {
    const method = function(...args) {
      if (new.target) throw new ERR_ILLEGAL_CONSTRUCTOR();
      return give(Reflect.apply(operator, this, args));
    };
    Object.defineProperty(method, 'name', { __proto__: null, value: operator.name });
    Object.defineProperty(method, 'length', { __proto__: null, value: operator.length });
    Object.defineProperty(Stream.Readable.prototype, key, {
      __proto__: null, value: method, enumerable: false, configurable: true, writable: true,
    });
  }
}
const operators = require(`${internals}/operators`);
addOperators(operators.streamReturningOperators, (result) => Stream.Readable.from(result));
addOperators(operators.promiseReturningOperators, (result) => result);

const { pipeline } = require(`${internals}/pipeline`);
const finished = require(`${internals}/end-of-stream`);
const { getDefaultHighWaterMark, setDefaultHighWaterMark } = require(`${internals}/state`);

Stream.Writable = require(`${internals}/writable`);
Stream.Writable.prototype[Symbol.asyncDispose] = async function() {
  if (!this.destroyed) this.destroy(this.writableFinished ? null : new AbortError());
  await new Promise((resolve, reject) => {
    finished(this, (error) => (error && error.name !== 'AbortError' ? reject(error) : resolve()));
  });
};
Stream.Duplex = require(`${internals}/duplex`);
// What waits to be written is told of the end too.
Stream.Duplex.prototype.destroy = Stream.Writable.prototype.destroy;
require('internal/streams/callbacks').install(Stream);
Stream.Transform = require(`${internals}/transform`);
Stream.PassThrough = require(`${internals}/passthrough`);
Stream.duplexPair = require('internal/streams/duplex_pair');
Stream.pipeline = pipeline;
Stream.addAbortSignal = require(`${internals}/add-abort-signal`).addAbortSignal;
Stream.finished = finished;
Stream.destroy = require(`${internals}/destroy`).destroyer;
Stream.compose = require(`${internals}/compose`);
Stream.setDefaultHighWaterMark = setDefaultHighWaterMark;
Stream.getDefaultHighWaterMark = getDefaultHighWaterMark;

function lazyPromises() {
  return require('stream/promises');
}

Object.defineProperty(Stream, 'promises', {
  __proto__: null, configurable: true, enumerable: true, get: lazyPromises,
});
const customPromisify = Symbol.for('nodejs.util.promisify.custom');
for (const [method, name] of [[pipeline, 'pipeline'], [finished, 'finished']]) {
  Object.defineProperty(method, customPromisify, {
    __proto__: null, enumerable: true, get: () => lazyPromises()[name],
  });
}

Stream.Stream = Stream; // as in Node 0.4

Stream._isArrayBufferView = isArrayBufferView;
// The package asks this of every chunk that is neither a string nor a Buffer; all views are taken.
Stream._isUint8Array = { isUint8Array: (value) => isArrayBufferView(value) }.isUint8Array;
Stream._uint8ArrayToBuffer = function _uint8ArrayToBuffer(chunk) {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
};
