'use strict';
// The short way of a line of console.log() to standard output and error. The long one is through a Writable,
// with an error listener put on and taken off around it. As long as nothing is in its state that would make a
// difference, and none of its methods was replaced, the line is written immediately. Any error is left to the
// long way, which meets it again.
//
// The stream has no write() of its own: packages (pino) compare it with the write() of the stream's class to
// find out whether it was replaced.

const kWriteLine = Symbol('kWriteLine');

function hide(stream, key, value) {
  Object.defineProperty(stream, key, {
    __proto__: null, value, writable: true, enumerable: false, configurable: true,
  });
}

// Whether the stream's state lets text be written at once; `_write` is what its class does the long way with.
function isIdle(stream, _write) {
  const state = stream._writableState;
  return state.length === 0 && state.corked === 0 && !state.ending && !state.destroyed &&
    !state.errored && stream._write === _write;
}

function addFastPath(stream, fd) {
  if (stream._type === undefined) return; // nothing follows it
  const { writeLine } = binding('stdio');
  const { write, _write } = stream;

  // Writes a line and says whether it could.
  hide(stream, kWriteLine, (line) => {
    return stream.write === write && isIdle(stream, _write) && writeLine(fd, line) >= 0;
  });
}

module.exports = { addFastPath, isIdle, kWriteLine };
