'use strict';
// Standard output and error when they are files: what is written is written at once.

const { Writable } = require('stream');
const { isIdle } = require('internal/console/fast_path');

const { writeText } = binding('stdio');

function SyncWriteStream(fd, options) {
  Reflect.apply(Writable, this, [{ autoDestroy: true }]);
  options = options || {};
  this.fd = fd;
  this.readable = false;
  this.autoClose = options.autoClose === undefined ? true : options.autoClose;
}
Object.setPrototypeOf(SyncWriteStream.prototype, Writable.prototype);
Object.setPrototypeOf(SyncWriteStream, Writable);

// Text goes the short way while the stream is idle, as console.log() does. In UTF-8 a character takes up to 3 bytes.
SyncWriteStream.prototype.write = function(chunk, encoding, callback) {
  if (typeof chunk === 'string' && encoding === undefined && callback === undefined &&
      chunk.length * 3 < this.writableHighWaterMark && isIdle(this, SyncWriteStream.prototype._write) &&
      writeText(this.fd, chunk) >= 0) {
    return true;
  }
  return Reflect.apply(Writable.prototype.write, this, arguments);
};

SyncWriteStream.prototype._write = function(chunk, encoding, callback) {
  try {
    const { writeSync } = require('fs');
    for (let at = 0; at < chunk.length;) at += writeSync(this.fd, chunk, at);
  } catch (error) {
    callback(error);
    return;
  }
  callback();
};

SyncWriteStream.prototype._destroy = function(error, callback) {
  if (this.fd === null) { // already closed
    callback(error);
    return;
  }
  if (this.autoClose) require('fs').closeSync(this.fd);
  this.fd = null;
  callback(error);
};

SyncWriteStream.prototype.destroySoon = SyncWriteStream.prototype.destroy;

module.exports = SyncWriteStream;
