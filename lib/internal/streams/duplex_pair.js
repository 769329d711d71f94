'use strict';
// stream.duplexPair(): two streams, each of which gives what is written to the other.

const Duplex = require('deps/readable-stream/lib/internal/streams/duplex');

const kOther = Symbol('kOther');
const kTaken = Symbol('kTaken'); // to be called when what was written last has been read

class DuplexSide extends Duplex {
  constructor(options) {
    super(options);
    this[kOther] = undefined;
    this[kTaken] = null;
  }

  _read() {
    const taken = this[kTaken];
    if (taken === null) return;
    this[kTaken] = null;
    taken();
  }

  _write(chunk, encoding, callback) {
    const other = this[kOther];
    if (chunk.length === 0) {
      process.nextTick(callback);
    } else {
      other.push(chunk);
      other[kTaken] = callback;
    }
  }

  _final(callback) {
    const other = this[kOther];
    other.on('end', callback);
    other.push(null);
  }
}

function duplexPair(options) {
  const a = new DuplexSide(options);
  const b = new DuplexSide(options);
  a[kOther] = b;
  b[kOther] = a;
  return [a, b];
}

module.exports = duplexPair;
