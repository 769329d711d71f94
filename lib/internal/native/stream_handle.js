'use strict';
// Between a stream and its handle in C++ (src/runtime/streams/stream_handle.h): what is read goes to the
// stream, what is written to the handle, and both count as tasks of their own (async_hooks).

const {
  async_id_symbol, defaultTriggerAsyncIdScope, emitAfter, emitBefore, emitDestroy, emitFailure, initResource,
  reportStep, trigger_async_id_symbol,
} = require('internal/async_hooks');
const { ErrnoException } = require('internal/errors');
const { FastBuffer } = require('internal/buffer/fast_buffer');
const { addHandle, removeHandle } = require('internal/native/open_handles');
const { kSmallRead, kSmallReadBytes, shared } = require('internal/native/shared_state');

const kOwner = Symbol('owner_symbol');
const kUpdateTimer = Symbol('kUpdateTimer');
const kAfterAsyncWrite = Symbol('kAfterAsyncWrite');
const kAfterWriteDispatched = Symbol('kAfterWriteDispatched');
const kBuffer = Symbol('kBuffer');
const kBufferCallback = Symbol('kBufferCb');
const kBufferMaker = Symbol('kBufferGen');
const kRest = Symbol('kRest');
const kEndAfterRest = Symbol('kEndAfterRest');

const kWritePending = 1; // what a write returns when its callback comes later
const kShutdownDone = 1;

function getAsyncId() {
  return this[async_id_symbol];
}

const kNames = {
  '__proto__': null,
  'PIPESERVERWRAP': 'PipeWrap',
  'PIPEWRAP': 'PipeWrap',
  'TCPSERVERWRAP': 'TCPServerWrap',
  'TCPWRAP': 'TCPSocketWrap',
  'TTYWRAP': 'TTYWrap',
  'UDPWRAP': 'UDPWrap',
};

function ownerOf(handle) {
  return handle[kOwner];
}

// The handle becomes a task of this type; see internal/native/async_providers.
function initHandle(handle, type) {
  initResource(handle, type);
  addHandle(handle, kNames[type], ownerOf, type);
  handle.reading = false;
  handle.getAsyncId = getAsyncId;
  return handle;
}

// What is in progress for a handle; created for it, whatever the trigger.
class HandleRequest {
  constructor(handle, callback, type) {
    this.handle = handle;
    this.callback = callback;
    defaultTriggerAsyncIdScope(handle[async_id_symbol], initResource, this, type);
  }
}

class WriteWrap extends HandleRequest {
  constructor(handle, callback) {
    super(handle, callback, 'WRITEWRAP');
    this.reason = undefined; // of an error, if the handle knows more than its number
  }
}

class ShutdownWrap extends HandleRequest {
  constructor(handle, callback) {
    super(handle, callback, 'SHUTDOWNWRAP');
  }
}

// Runs `step`, which ends a request, as the task that the request is.
function complete(request, step, status) {
  const asyncId = request[async_id_symbol];
  emitBefore(asyncId, request[trigger_async_id_symbol], request);
  if (status < 0) emitFailure(status);
  step(request, status);
  emitAfter(asyncId);
  emitDestroy(asyncId);
}

// ---- Reading ----

// Few bytes come by the shared state, and go to V8's heap.
const smallReads = new Array(kSmallReadBytes + 1).fill(undefined);

function bufferOf(count, arrayBuffer) {
  if (arrayBuffer !== undefined) return new FastBuffer(arrayBuffer, 0, count);
  smallReads[count] ??= new Uint8Array(shared.buffer, shared.byteOffset + kSmallRead * 4, count);
  const buffer = new FastBuffer(count);
  buffer.set(smallReads[count]);
  return buffer;
}

// The value of handle.onread.
function onHandleRead(count, arrayBuffer) {
  const chunk = count > 0 ? bufferOf(count, arrayBuffer) : undefined;
  const asyncId = this[async_id_symbol];
  emitBefore(asyncId, this[trigger_async_id_symbol], this, count > 0 ? 'data' : count < 0 ? 'error' : 'end');
  if (count < 0) emitFailure(count);
  readInto(this[kOwner], this, count, chunk);
  emitAfter(asyncId);
}

function readInto(stream, handle, count, chunk) {
  if (stream === undefined || stream === null) return;
  stream[kUpdateTimer]?.();
  if (stream[kBuffer] && keepsForLater(stream, handle, count, chunk)) return;
  if (count > 0) {
    if (stream.destroyed) return;
    const wantsMore = stream[kBuffer] ?
      fillOwnBuffer(stream, handle, chunk) : stream.push(chunk);
    if (!wantsMore) stopReading(stream, handle);
    return;
  }
  readEnd(stream, handle, count);
}

// There is nothing more: 0 at the end, negative for an error.
function readEnd(stream, handle, count) {
  handle.reading = false;
  if (count < 0) {
    stream.destroy(new ErrnoException(count, 'read'));
    return;
  }
  // The end. When 'finish' has come too, the stream destroys itself (autoDestroy).
  if (stream._readableState.endEmitted) return;
  stream.push(null);
  stream.read(0);
}

// ---- The option `onread` of a socket: what arrives is put into the program's own buffer ----

// A TLS stream hands over all records that have arrived together, also after the program has paused it. What it
// has not read yet, and the end after that, waits.
function keepsForLater(stream, handle, count, chunk) {
  const rest = stream[kRest];
  if (rest === undefined && (handle.reading || count <= 0)) return false;
  if (count > 0) stream[kRest] = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
  else stream[kEndAfterRest] = count;
  return true;
}

// Whether to go on. What is left of a chunk when the program has enough waits for the next read.
function fillOwnBuffer(stream, handle, chunk) {
  while (chunk.length > 0) {
    const buffer = stream[kBuffer];
    const count = Math.min(chunk.length, buffer.length);
    buffer.set(chunk.subarray(0, count));
    chunk = chunk.subarray(count);
    const result = stream[kBufferCallback](count, buffer);
    if (stream[kBufferMaker]) {
      const next = stream[kBufferMaker]();
      if (ArrayBuffer.isView(next)) stream[kBuffer] = next;
    }
    if (stream.destroyed) return false;
    if (result === false || !handle.reading) {
      if (chunk.length > 0) stream[kRest] = chunk;
      return false;
    }
  }
  return true;
}

// Whether there is such a rest, which is then read before anything else.
function hasRest(stream) {
  if (stream[kRest] === undefined) return false;
  process.nextTick(readRest, stream);
  return true;
}

function readRest(stream) {
  const handle = stream._handle;
  const rest = stream[kRest];
  if (!handle?.reading || rest === undefined) return;
  stream[kRest] = undefined;
  if (!fillOwnBuffer(stream, handle, rest)) {
    handle.reading = false;
    return;
  }
  if (stream[kEndAfterRest] === undefined) handle.readStart();
  else readEnd(stream, handle, stream[kEndAfterRest]);
}

function stopReading(stream, handle) {
  handle.reading = false;
  if (stream.destroyed) return;
  const status = handle.readStop();
  if (status) stream.destroy(new ErrnoException(status, 'read'));
}

// ---- Writing ----

function onWriteDone(request, status) {
  const { handle, callback } = request;
  const stream = handle[kOwner];
  // ECANCELED: the stream was destroyed.
  if (status < 0) {
    callback(new ErrnoException(status, 'write', request.reason));
    return;
  }
  if (stream.destroyed) {
    callback(null);
    return;
  }
  stream[kUpdateTimer]?.();
  stream[kAfterAsyncWrite]?.(request);
  callback();
}

function onHandleWritten(status, reason) {
  const request = this.pendingWrite;
  this.pendingWrite = undefined;
  if (request === undefined) return;
  request.reason = reason;
  complete(request, onWriteDone, status);
}

function notABuffer() {
  const error = new TypeError('Second argument must be a buffer');
  error.code = 'ERR_INVALID_ARG_TYPE';
  return error;
}

function dispatchWrite(handle, data, encoding) {
  switch (encoding) {
    case 'buffer':
      if (!ArrayBuffer.isView(data)) throw notABuffer();
      return handle.writeBuffer(data, onHandleWritten);
    case 'utf8':
    case 'utf-8':
      return handle.writeString(data, false, onHandleWritten);
    case 'latin1':
    case 'binary':
      return handle.writeString(data, true, onHandleWritten);
    default:
      return handle.writeBuffer(Buffer.from(data, encoding), onHandleWritten);
  }
}

// In bytes: of a string or buffer, or of an array of buffers.
function sizeOf(data, encoding) {
  if (Array.isArray(data)) return data.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return typeof data === 'string' ? Buffer.byteLength(data, encoding) : data.byteLength;
}

function afterDispatch(handle, status, callback, data, encoding) {
  if (status === kWritePending) {
    handle.pendingWrite = new WriteWrap(handle, callback);
    handle[kOwner]?.[kAfterWriteDispatched]?.(sizeOf(data, encoding));
  } else if (status < 0) {
    callback(new ErrnoException(status, 'write'));
  } else {
    callback();
  }
}

function writeToHandle(handle, data, encoding, callback) {
  afterDispatch(handle, dispatchWrite(handle, data, encoding), callback, data, encoding);
}

// What was corked: chunks as a Writable keeps them.
function writeAllToHandle(handle, chunks, callback) {
  const buffers = chunks.map(({ chunk, encoding }) => {
    return typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
  });
  afterDispatch(handle, handle.writeBuffers(buffers, onHandleWritten), callback, buffers);
}

// ---- Ending ----

function onShutdownDone({ callback }) {
  callback();
}

function shutdownHandle(handle, callback) {
  const request = new ShutdownWrap(handle, callback);
  const status = handle.shutdown((result) => complete(request, onShutdownDone, result));
  if (status === kShutdownDone || status === -107 /* ENOTCONN */) callback();
  else if (status < 0) callback(new ErrnoException(status, 'shutdown'));
}

// Calls back in the context of the handle.
function closeHandle(handle, callback) {
  removeHandle(handle);
  handle.close(() => {
    const asyncId = handle[async_id_symbol];
    if (callback !== undefined) {
      emitBefore(asyncId, handle[trigger_async_id_symbol], handle, 'close');
      callback();
      emitAfter(asyncId);
    } else {
      reportStep(asyncId, handle, 'close');
    }
    emitDestroy(asyncId);
  });
}

module.exports = {
  closeHandle,
  hasRest,
  initHandle,
  kAfterAsyncWrite,
  kAfterWriteDispatched,
  kBuffer,
  kBufferCallback,
  kBufferMaker,
  kOwner,
  kUpdateTimer,
  onHandleRead,
  shutdownHandle,
  writeAllToHandle,
  writeToHandle,
};
