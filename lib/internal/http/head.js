'use strict';
// The head of a message that is sent: its first line and its header lines, and what follows from them for
// the body and for the connection (RFC 9112): whether there is a length, chunks, or the end of the
// connection; whether another message can follow.

const {
  codes: { ERR_HTTP_TRAILER_INVALID, ERR_INVALID_ARG_VALUE },
} = require('internal/errors');
const { isHeaderName, validateHeaderName, validateHeaderValue } = require('internal/http/checks');
const { utcDate } = require('internal/http/date');
const { kOutHeaders, kUniqueHeaders } = require('internal/http/symbols');

const kClose = /(?:^|\W)close(?:$|\W)/i;
const kChunked = /(?:^|\W)chunked(?:$|\W)/i;

// Which of the fields that matter here were among the lines.
const kConnection = 1;
const kLength = 2;
const kTransferEncoding = 4;
const kDate = 8;
const kExpect = 16;
const kTrailer = 32;

class HeadLines {
  constructor(message, firstLine) {
    this.message = message;
    this.text = firstLine;
    this.seen = 0;
    this.lenient = message._isLenientHeaderValidation();
  }

  // Headers that were set one by one have been checked then.
  addChecked(name, value) {
    this.#add(name, value, false);
  }

  addUnchecked(name, value) {
    if (!isHeaderName(name)) validateHeaderName(name);
    this.#add(name, value, true);
  }

  #add(name, value, checks) {
    if (name.length === 19 && this.message._contentLength && name.toLowerCase() === 'content-disposition') {
      // File names are sent as Latin-1 (RFC 6266).
      value = Array.isArray(value) ? toLatin1InPlace(value) : Buffer.from(value, 'latin1');
    }
    if (!Array.isArray(value)) {
      this.#line(name, value, checks);
      return;
    }
    const unique = this.message[kUniqueHeaders];
    const isJoined = (value.length > 1 && name.length === 6 && name.toLowerCase() === 'cookie') ||
      unique?.has(name.toLowerCase());
    if (isJoined) {
      this.#line(name, value.join('; '), checks);
      return;
    }
    for (let i = 0; i < value.length; i++) this.#line(name, value[i], checks);
  }

  #line(name, value, checks) {
    if (checks) validateHeaderValue(name, value, this.lenient);
    this.text += `${name}: ${value}\r\n`;
    if (name.length >= 4 && name.length <= 17) this.#note(name, value);
  }

  #note(name, value) {
    const { message } = this;
    switch (name.toLowerCase()) {
      case 'connection':
        this.seen |= kConnection;
        message._removedConnection = false;
        if (kClose.test(value)) message._last = true;
        else message.shouldKeepAlive = true;
        break;
      case 'transfer-encoding':
        this.seen |= kTransferEncoding;
        message._removedTE = false;
        if (kChunked.test(value)) message.chunkedEncoding = true;
        break;
      case 'content-length':
        this.seen |= kLength;
        message._contentLength = +value;
        message._removedContLen = false;
        break;
      case 'date':
        this.seen |= kDate;
        break;
      case 'expect':
        this.seen |= kExpect;
        break;
      case 'trailer':
        this.seen |= kTrailer;
        break;
      case 'keep-alive':
        message._defaultKeepAlive = false;
        break;
    }
  }

  has(fields) {
    return (this.seen & fields) !== 0;
  }
}

function toLatin1InPlace(values) {
  for (let i = 0; i < values.length; i++) values[i] = Buffer.from(values[i], 'latin1');
  return values;
}

// `headers`: the message's own, an array (flat, or of pairs), or an object.
function addAll(lines, headers) {
  if (headers === lines.message[kOutHeaders]) {
    for (const key in headers) lines.addChecked(headers[key][0], headers[key][1]);
  } else if (!Array.isArray(headers)) {
    for (const key in headers) {
      if (Object.hasOwn(headers, key)) lines.addUnchecked(key, headers[key]);
    }
  } else if (headers.length > 0 && Array.isArray(headers[0])) {
    for (let i = 0; i < headers.length; i++) lines.addUnchecked(headers[i][0], headers[i][1]);
  } else {
    if (headers.length % 2 !== 0) throw new ERR_INVALID_ARG_VALUE('headers', headers);
    for (let i = 0; i < headers.length; i += 2) lines.addUnchecked(headers[i], headers[i + 1]);
  }
}

// Whether the connection is kept alive, and the header for it.
function connectionLines(message, lines) {
  if (message._removedConnection) {
    message._last = !message.shouldKeepAlive;
    return '';
  }
  if (lines.has(kConnection)) return '';
  const goesOn = message.shouldKeepAlive &&
    (lines.has(kLength) || message.useChunkedEncodingByDefault || message.agent);
  if (!goesOn) {
    message._last = true;
    return 'Connection: close\r\n';
  }
  if (message.maxRequestsOnConnectionReached) return 'Connection: close\r\n';
  if (!message._keepAliveTimeout || !message._defaultKeepAlive) return 'Connection: keep-alive\r\n';
  return `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(message._keepAliveTimeout / 1000)}${
    ~~message._maxRequestsPerSocket > 0 ? `, max=${message._maxRequestsPerSocket}` : ''}\r\n`;
}

// How the other side will know where the body ends.
function bodyLines(message, lines) {
  if (lines.has(kLength | kTransferEncoding)) return '';
  if (!message._hasBody) {
    message.chunkedEncoding = false;
    return '';
  }
  if (!message.useChunkedEncodingByDefault) {
    message._last = true;
    return '';
  }
  if (!lines.has(kTrailer) && !message._removedContLen && typeof message._contentLength === 'number') {
    return `Content-Length: ${message._contentLength}\r\n`;
  }
  if (!message._removedTE) {
    message.chunkedEncoding = true;
    return 'Transfer-Encoding: chunked\r\n';
  }
  message._last = true; // it ends with the connection
  return '';
}

// Makes message._header.
function storeHeader(message, firstLine, headers) {
  const lines = new HeadLines(message, firstLine);
  if (headers) addAll(lines, headers);
  let { text } = lines;
  if (message.sendDate && !lines.has(kDate)) text += `Date: ${utcDate()}\r\n`;
  // These have no body. Who asked for chunks all the same must not leave a peer waiting for them, or
  // taking the next response for one.
  if (message.chunkedEncoding && (message.statusCode === 204 || message.statusCode === 304)) {
    message.chunkedEncoding = false;
    message.shouldKeepAlive = false;
  }
  text += connectionLines(message, lines);
  text += bodyLines(message, lines);
  if (message.chunkedEncoding !== true && lines.has(kTrailer)) throw new ERR_HTTP_TRAILER_INVALID();
  message._header = `${text}\r\n`;
  message._headerSent = false;
  // The rest waits for the first piece of the body, unless the other side has to answer first.
  if (lines.has(kExpect)) message._send('');
}

module.exports = { storeHeader };
