'use strict';
// Where write() and end() of Node 20 differ from those of the package. Their callbacks are called with
// null when all went well, and not with nothing. And a stream that has just been constructed writes
// what waited for that before anything else.

// A callback given twice stays one: a stream that is told of many writes at once looks at that.
const wrappers = new WeakMap();

function withNull(callback) {
  let wrapper = wrappers.get(callback);
  if (wrapper === undefined) {
    wrapper = (error) => callback(error ?? null);
    wrappers.set(callback, wrapper);
  }
  return wrapper;
}

// The package would write past what is buffered.
function hasForgottenBuffer(state) {
  return state.buffered.length > state.bufferedIndex && state.constructed && !state.writing &&
    state.corked === 0 && !state.bufferProcessing && !state.errored && !state.destroyed;
}

function wrapWrite(original) {
  return function(chunk, encoding, cb) {
    if (typeof encoding === 'function') {
      cb = encoding;
      encoding = undefined;
    }
    if (typeof cb === 'function') cb = withNull(cb);
    if (!hasForgottenBuffer(this._writableState)) {
      return Reflect.apply(original, this, [chunk, encoding, cb]);
    }
    // Behind what is there; then all of it goes.
    this.cork();
    const result = Reflect.apply(original, this, [chunk, encoding, cb]);
    this.uncork();
    return result;
  };
}

function wrapEnd(original) {
  return function(chunk, encoding, cb) {
    if (typeof chunk === 'function') {
      cb = chunk;
      chunk = undefined;
      encoding = undefined;
    } else if (typeof encoding === 'function') {
      cb = encoding;
      encoding = undefined;
    }
    if (typeof cb === 'function') cb = withNull(cb);
    if (chunk !== null && chunk !== undefined && hasForgottenBuffer(this._writableState)) {
      this.write(chunk, encoding);
      chunk = undefined;
    }
    return Reflect.apply(original, this, [chunk, encoding, cb]);
  };
}

function install({ Duplex, Writable }) {
  const write = wrapWrite(Writable.prototype.write);
  const end = wrapEnd(Writable.prototype.end);
  for (const { prototype } of [Writable, Duplex]) {
    prototype.write = write;
    prototype.end = end;
  }
}

module.exports = { install };
