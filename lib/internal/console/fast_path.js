'use strict';
// The short way of text to standard output and error. The long one is through a Writable (and, for
// console.log(), with an error listener put on and taken off around it). As long as nothing is in
// its state that would make a difference, and nobody has replaced one of its methods, text is written
// at once. Any error is left to the long way, which meets it again.

const kWriteLine = Symbol('kWriteLine');

function hide(stream, key, value) {
  Object.defineProperty(stream, key, {
    __proto__: null, value, writable: true, enumerable: false, configurable: true,
  });
}

function addFastPath(stream, fd) {
  if (stream._type === undefined) return; // nothing is behind it
  const { writeLine, writeText } = binding('stdio');
  const { write: longWrite, _write } = stream;

  const isIdle = () => {
    const state = stream._writableState;
    return state.length === 0 && state.corked === 0 && !state.ending && !state.destroyed &&
      !state.errored && stream._write === _write;
  };

  // In a terminal each write says that it has to be waited for: its high water mark is 0.
  const most = Math.floor(stream.writableHighWaterMark / 3);
  const write = function(chunk, encoding, callback) {
    if (typeof chunk === 'string' && encoding === undefined && callback === undefined &&
        chunk.length < most && this === stream && isIdle() && writeText(fd, chunk) >= 0) {
      return true;
    }
    return Reflect.apply(longWrite, this, arguments);
  };
  if (most > 0) hide(stream, 'write', write);
  const { write: current } = stream;

  // Writes a line and says whether it could.
  hide(stream, kWriteLine, (line) => {
    return stream.write === current && isIdle() && writeLine(fd, line) >= 0;
  });
}

module.exports = { addFastPath, kWriteLine };
