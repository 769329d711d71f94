'use strict';
// process.stdout, process.stderr and process.stdin, made when they are first asked for: streams of
// the kind that their descriptors are of. What is written to the first two has been written when
// write() returns.

const { guessHandleType } = require('internal/native/guess_handle_type');

const streams = [undefined, undefined, undefined]; // by descriptor
const types = [undefined, undefined, undefined];
let replacement;

// Standard output and error are never closed: to end them, or to destroy them, ends nothing but the
// stream, which is as new afterwards.
function dummyDestroy(error, callback) {
  callback(error);
  this._undestroy();
  // Sockets do not emit it on their own.
  if (!this._writableState.emitClose) process.nextTick(() => this.emit('close'));
}

function createWritable(fd) {
  let stream;
  switch (guessHandleType(fd)) {
    case 'TTY': {
      const tty = require('tty');
      stream = new tty.WriteStream(fd);
      stream._type = 'tty';
      break;
    }
    case 'FILE': {
      const SyncWriteStream = require('internal/fs/sync_write_stream');
      stream = new SyncWriteStream(fd, { autoClose: false });
      stream._type = 'fs';
      break;
    }
    case 'PIPE':
    case 'TCP': {
      const net = require('net');
      stream = new net.Socket({ fd, readable: false, writable: true });
      stream._type = 'pipe';
      break;
    }
    default: {
      // Nothing that could be written to.
      const { Writable } = require('stream');
      stream = new Writable({
        write(buffer, encoding, callback) {
          callback();
        },
      });
    }
  }
  stream.fd = fd;
  stream._isStdio = true;
  stream.destroySoon = stream.destroy;
  stream._destroy = dummyDestroy;
  require('internal/console/fast_path').addFastPath(stream, fd);
  return stream;
}

// In a Worker: make(name) replaces the functions below.
function replaceStreams(make) {
  replacement = make;
}

// The descriptor of a pipe or a file without a stream, else -1. The console writes
// to it without one: to load what makes a stream of a pipe takes longer than all the rest of a small program.
function unopenedDescriptor(name) {
  if (replacement !== undefined) return -1;
  const fd = name === 'stdout' ? 1 : 2;
  if (streams[fd] !== undefined) return -1;
  const type = types[fd] ??= guessHandleType(fd);
  return type === 'PIPE' || type === 'FILE' ? fd : -1;
}

function getStdout() {
  if (replacement !== undefined) return replacement('stdout');
  if (streams[1] === undefined) {
    const stream = streams[1] = createWritable(1);
    if (stream.isTTY) process.on('SIGWINCH', () => stream._refreshSize());
  }
  return streams[1];
}

function getStderr() {
  if (replacement !== undefined) return replacement('stderr');
  if (streams[2] === undefined) {
    const stream = streams[2] = createWritable(2);
    if (stream.isTTY) process.on('SIGWINCH', () => stream._refreshSize());
  }
  return streams[2];
}

function createReadable(fd) {
  switch (guessHandleType(fd)) {
    case 'TTY': {
      const tty = require('tty');
      return new tty.ReadStream(fd);
    }
    case 'FILE': {
      const { ReadStream } = require('fs');
      return new ReadStream(null, { fd, autoClose: false });
    }
    case 'PIPE':
    case 'TCP': {
      const net = require('net');
      return new net.Socket({ fd, readable: true, writable: false, manualStart: true });
    }
    default: {
      const { Readable } = require('stream');
      const stream = new Readable({ read() {} });
      stream.push(null);
      return stream;
    }
  }
}

// A program that does not read does not wait for input either.
function stopReading(stream) {
  if (!stream._handle?.reading) return;
  stream._handle.reading = false;
  stream._readableState.reading = false;
  stream._handle.readStop();
}

function getStdin() {
  if (replacement !== undefined) return replacement('stdin');
  if (streams[0] !== undefined) return streams[0];
  const stream = streams[0] = createReadable(0);
  stream.fd = 0;
  stream.on('pause', () => process.nextTick(stopReading, stream));
  return stream;
}

module.exports = {
  replaceStreams, stderr: getStderr, stdin: getStdin, stdout: getStdout, unopenedDescriptor,
};
