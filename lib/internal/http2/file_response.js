'use strict';
// Files as responses. A chunk is read when the one before has gone, so that memory stays what it is however large the
// file and slow the client.

const fs = require('fs');
const {
  codes: { ERR_HTTP2_INVALID_STREAM, ERR_HTTP2_SEND_FILE, ERR_HTTP2_SEND_FILE_NOSEEK },
} = require('internal/errors');
const { NGHTTP2_INTERNAL_ERROR } = require('internal/http2/constants');
const { NghttpError } = require('internal/http2/errors');
const { joinFields } = require('internal/http2/fields');
const { kHandle, kSentHeaders, kSession, kState } = require('internal/http2/symbols');

const kChunk = 64 << 10;
const kData = 1;
const kDataAndTrailers = 2;

function closeFile(fd) {
  fs.close(fd, (error) => {
    if (error) throw error;
  });
}

class FileResponse {
  #stream;
  #fd;
  #ownsFd;
  #position; // null: the current position of the descriptor
  #left;
  #isReading = false;
  #isStopped = false;

  constructor(stream, fd, ownsFd, offset, length) {
    this.#stream = stream;
    this.#fd = fd;
    this.#ownsFd = ownsFd;
    this.#position = offset >= 0 ? offset : null;
    this.#left = length >= 0 ? length : Infinity;
  }

  // The last chunk is gone.
  next() {
    if (this.#isStopped) return;
    const size = Math.min(this.#left, kChunk);
    if (size === 0) {
      this.#finish();
      return;
    }
    this.#isReading = true;
    const chunk = Buffer.allocUnsafeSlow(size);
    fs.read(this.#fd, chunk, 0, size, this.#position, (error, count) => {
      this.#isReading = false;
      if (this.#isStopped) this.#release();
      else if (error) this.#stream.close(NGHTTP2_INTERNAL_ERROR);
      else if (count === 0) this.#finish();
      else this.#send(chunk.subarray(0, count));
    });
  }

  #send(chunk) {
    if (this.#position !== null) this.#position += chunk.length;
    this.#left -= chunk.length;
    const stream = this.#stream;
    if (!stream[kHandle]?.write(stream.id, chunk)) this.stop();
  }

  #finish() {
    const stream = this.#stream;
    this.stop();
    stream[kHandle]?.end(stream.id);
  }

  stop() {
    if (this.#isStopped) return;
    this.#isStopped = true;
    if (!this.#isReading) this.#release();
  }

  #release() {
    if (this.#ownsFd) closeFile(this.#fd);
  }
}

function begin(stream, fd, ownsFd, headers, offset, length) {
  const state = stream[kState];
  state.headersSent = true;
  let fields;
  try {
    fields = joinFields(headers, 'response', stream[kSession]);
  } catch (error) {
    if (ownsFd) closeFile(fd);
    stream.destroy(error);
    return;
  }
  stream[kSentHeaders] = headers;
  // As a Writable it has ended: C++ is notified when the file has.
  stream._final = null;
  stream.end();
  const status = stream[kHandle].respond(stream.id, fields, state.hasTrailers ? kDataAndTrailers : kData);
  if (status < 0) {
    if (ownsFd) closeFile(fd);
    stream.destroy(new NghttpError(status));
    return;
  }
  // For time-outs: something is being written. How much does not matter.
  state.writeQueueSize += 1;
  stream[kSession][kState].writeQueueSize += 1;
  state.file = new FileResponse(stream, fd, ownsFd, offset, length);
  state.file.next();
}

function rangeOf({ offset = 0, length = -1 }) {
  return { offset, length };
}

function respondWithFD(stream, fd, headers, options) {
  if (options.statCheck === undefined) {
    begin(stream, fd, false, headers, (options.offset ?? 0) | 0, (options.length ?? -1) | 0);
    return;
  }
  fs.fstat(fd, (error, stat) => {
    if (error) {
      stream.destroy(error);
    } else if (stream.destroyed || stream.closed) {
      stream.destroy(new ERR_HTTP2_INVALID_STREAM());
    } else {
      const range = rangeOf(options);
      if (options.statCheck.call(stream, stat, headers, range) === false || stream.headersSent) return;
      begin(stream, fd, false, headers, range.offset | 0, range.length | 0);
    }
  });
}

function respondWithFile(stream, path, headers, options) {
  const fail = (error) => {
    if (options.onError) options.onError(error);
    else stream.destroy(error);
  };
  fs.open(path, 'r', (openError, fd) => {
    if (openError) {
      fail(openError);
      return;
    }
    if (stream.destroyed || stream.closed) {
      closeFile(fd);
      return;
    }
    fs.fstat(fd, (error, stat) => {
      const problem = error ?? fileProblem(stat, options);
      if (problem) {
        closeFile(fd);
        fail(problem);
        return;
      }
      sendFile(stream, fd, stat, headers, options);
    });
  });
}

function fileProblem(stat, options) {
  if (stat.isFile()) return null;
  if (stat.isDirectory()) return new ERR_HTTP2_SEND_FILE();
  const hasRange = options.offset !== undefined || options.length !== undefined;
  return hasRange ? new ERR_HTTP2_SEND_FILE_NOSEEK() : null;
}

function sendFile(stream, fd, stat, headers, options) {
  if (stream.destroyed || stream.closed) {
    closeFile(fd);
    stream.destroy(new ERR_HTTP2_INVALID_STREAM());
    return;
  }
  const range = stat.isFile() ? rangeOf(options) : { offset: -1, length: -1 };
  if ((options.statCheck !== undefined && options.statCheck.call(stream, stat, headers) === false) ||
      stream.headersSent) {
    closeFile(fd);
    return;
  }
  if (stat.isFile()) {
    const available = stat.size - Number(range.offset);
    range.length = range.length < 0 ? available : Math.min(available, range.length);
    headers['content-length'] = range.length;
  }
  begin(stream, fd, true, headers, range.offset, range.length);
}

module.exports = { respondWithFD, respondWithFile };
