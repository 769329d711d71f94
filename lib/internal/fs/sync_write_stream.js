'use strict';
// Standard output and error when they are files: what is written is written at once.

const { Writable } = require('stream');

function SyncWriteStream(fd, options) {
  Reflect.apply(Writable, this, [{ autoDestroy: true }]);
  options = options || {};
  this.fd = fd;
  this.readable = false;
  this.autoClose = options.autoClose === undefined ? true : options.autoClose;
}
Object.setPrototypeOf(SyncWriteStream.prototype, Writable.prototype);
Object.setPrototypeOf(SyncWriteStream, Writable);

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
