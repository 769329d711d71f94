'use strict';
// node:stream/promises.

const internals = 'deps/readable-stream/lib/internal/streams';
const { isIterable, isNodeStream, isWebStream } = require(`${internals}/utils`);
const { pipelineImpl } = require(`${internals}/pipeline`);
const { finished } = require(`${internals}/end-of-stream`);

function isOptions(value) {
  return value && typeof value === 'object' && !isNodeStream(value) && !isIterable(value) &&
    !isWebStream(value);
}

function pipeline(...streams) {
  return new Promise((resolve, reject) => {
    let signal;
    let end;
    if (isOptions(streams[streams.length - 1])) ({ signal, end } = streams.pop());
    pipelineImpl(streams, (error, value) => {
      if (error) reject(error);
      else resolve(value);
    }, { signal, end });
  });
}

module.exports = { finished, pipeline };
