'use strict';
// Between node:stream and web streams, which are not there: Readable.toWeb() and its kin say so.

const { codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM } } = require('internal/errors');

function unavailable() {
  throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('node:stream/web');
}

module.exports = {
  newReadableStreamFromStreamReadable: unavailable,
  newReadableWritablePairFromDuplex: unavailable,
  newStreamDuplexFromReadableWritablePair: unavailable,
  newStreamReadableFromReadableStream: unavailable,
  newStreamWritableFromWritableStream: unavailable,
  newWritableStreamFromStreamWritable: unavailable,
};
