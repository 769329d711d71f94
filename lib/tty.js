'use strict';
// node:tty.

const {
  ErrnoException, codes: { ERR_INVALID_FD, ERR_TTY_INIT_FAILED }, uvErrmapGet,
} = require('internal/errors');
const { guessHandleType } = require('internal/native/guess_handle_type');
const { initHandle } = require('internal/native/stream_handle');
const { getColorDepth, hasColors } = require('internal/tty');
const net = require('net');

function isatty(fd) {
  return Number.isInteger(fd) && fd >= 0 && fd <= 2147483647 && binding('tty').isatty(fd);
}

function openTerminal(fd) {
  if (fd >> 0 !== fd || fd < 0) throw new ERR_INVALID_FD(fd);
  // A pipe or a socket is no terminal, but can be read and written as one.
  const type = guessHandleType(fd);
  if (type === 'FILE' || type === 'UNKNOWN' || type === 'INVALID') {
    const errno = -22; // EINVAL
    const [code, message] = uvErrmapGet(errno);
    throw new ERR_TTY_INIT_FAILED({ errno, code, message, syscall: 'uv_tty_init' });
  }
  const { TTY } = binding('tty');
  return initHandle(new TTY(fd), 'TTYWRAP');
}

// ---- Reading ----

function ReadStream(fd, options) {
  if (!(this instanceof ReadStream)) return new ReadStream(fd, options);
  const handle = openTerminal(fd);
  Reflect.apply(net.Socket, this, [{
    highWaterMark: 0, handle, manualStart: true, ...options,
  }]);
  this.isRaw = false;
  this.isTTY = true;
}
Object.setPrototypeOf(ReadStream.prototype, net.Socket.prototype);
Object.setPrototypeOf(ReadStream, net.Socket);

ReadStream.prototype.setRawMode = function(flag) {
  flag = Boolean(flag);
  const status = this._handle?.setRawMode(flag);
  if (status) {
    this.emit('error', new ErrnoException(status, 'setRawMode'));
    return this;
  }
  this.isRaw = flag;
  return this;
};

// ---- Writing ----

function WriteStream(fd) {
  if (!(this instanceof WriteStream)) return new WriteStream(fd);
  const handle = openTerminal(fd);
  Reflect.apply(net.Socket, this, [{ handle, manualStart: true }]);
  const size = [];
  if (handle.getWindowSize(size) === 0) [this.columns, this.rows] = size;
}
Object.setPrototypeOf(WriteStream.prototype, net.Socket.prototype);
Object.setPrototypeOf(WriteStream, net.Socket);

WriteStream.prototype.isTTY = true;
WriteStream.prototype.getColorDepth = getColorDepth;
WriteStream.prototype.hasColors = hasColors;

WriteStream.prototype._refreshSize = function() {
  const { columns, rows } = this;
  const size = [];
  const status = this._handle.getWindowSize(size);
  if (status) {
    this.emit('error', new ErrnoException(status, 'getWindowSize'));
    return;
  }
  if (columns === size[0] && rows === size[1]) return;
  [this.columns, this.rows] = size;
  this.emit('resize');
};

WriteStream.prototype.getWindowSize = function() {
  return [this.columns, this.rows];
};

// node:readline knows how to move the cursor.
WriteStream.prototype.cursorTo = function(x, y, callback) {
  return require('readline').cursorTo(this, x, y, callback);
};
WriteStream.prototype.moveCursor = function(dx, dy, callback) {
  return require('readline').moveCursor(this, dx, dy, callback);
};
WriteStream.prototype.clearLine = function(dir, callback) {
  return require('readline').clearLine(this, dir, callback);
};
WriteStream.prototype.clearScreenDown = function(callback) {
  return require('readline').clearScreenDown(this, callback);
};

module.exports = { isatty, ReadStream, WriteStream };
