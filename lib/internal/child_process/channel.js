'use strict';
// The channel between a process and a child of the same kind, on both of its sides: send(), 'message',
// disconnect() and `channel` of a ChildProcess, or of `process`.
//
// Messages whose `cmd` begins with NODE_ are ours, and come as 'internalMessage'. One with a handle
// waits for an answer, NODE_HANDLE_ACK or NODE_HANDLE_NACK; until then others are queued after it.

const EventEmitter = require('events');
const {
  ErrnoException,
  codes: { ERR_INVALID_ARG_TYPE, ERR_IPC_CHANNEL_CLOSED, ERR_IPC_DISCONNECTED, ERR_MISSING_ARGS },
} = require('internal/errors');
const { validateObject } = require('internal/validators');
const { addHandle, removeHandle } = require('internal/native/open_handles');

const kMostQueued = 2 * 65536; // bytes by which the other side may lag
const kRetransmissions = 3;
const kPending = Symbol('kPendingMessages');

// `channel` of the target.
class Control extends EventEmitter {
  #native;
  #refs = 0;
  #isExplicit = false;

  constructor(native) {
    super();
    this.#native = native;
    this[kPending] = [];
  }

  // For listeners, and for writes in progress. What the program asks for explicitly overrules them.
  refCounted() {
    if (++this.#refs === 1 && !this.#isExplicit) this.#native.ref();
  }

  unrefCounted() {
    if (--this.#refs === 0 && !this.#isExplicit) this.#native.unref();
  }

  // Without saying so: listeners still count.
  letGo() {
    this.#native.unref();
  }

  ref() {
    this.#isExplicit = true;
    this.#native.ref();
  }

  unref() {
    this.#isExplicit = true;
    this.#native.unref();
  }

  get fd() {
    return this.#native.descriptor();
  }
}

function isInternal(message) {
  return message !== null && typeof message === 'object' && typeof message.cmd === 'string' &&
    message.cmd.length > 5 && message.cmd.startsWith('NODE_');
}

function isAnswer(message) {
  return message?.cmd === 'NODE_HANDLE_ACK' || message?.cmd === 'NODE_HANDLE_NACK';
}

function checkMessage(message) {
  if (message === undefined) throw new ERR_MISSING_ARGS('message');
  if (!['string', 'object', 'number', 'boolean'].includes(typeof message)) {
    throw new ERR_INVALID_ARG_TYPE('message', ['string', 'object', 'number', 'boolean'], message);
  }
}

class ChannelEnd {
  sent = new Map(); // connection key -> sockets of a server that the other side has
  received = new Map();
  #writes = new Map(); // number -> callback
  #fds = []; // have come, and belong to a message that is not complete
  #isOpen = true;
  #write;
  #reader;
  #onEnd;

  constructor(target, fd, mode, onEnd) {
    this.target = target;
    this.native = new (binding('ipc').Channel)(fd);
    this.control = new Control(this.native);
    this.#onEnd = onEnd;
    const { Reader, write } = require('internal/child_process/serialization')[mode];
    this.#reader = new Reader();
    this.#write = write;
    this.native.onread = (bytes, fds) => this.#onRead(bytes, fds);
    this.native.onwritten = (number, status) => this.#onWritten(number, status);
    addHandle(this.native, 'Pipe', () => this.control, 'PIPEWRAP');
    this.native.readStart();
  }

  // ---- Reading ----

  #onRead(bytes, fds) {
    if (bytes === undefined) {
      this.#end();
      return;
    }
    if (fds !== undefined) this.#fds.push(...fds);
    for (const message of this.#reader.read(bytes)) {
      const fd = message?.cmd === 'NODE_HANDLE' ? this.#fds.shift() : undefined;
      this.#receive(message, fd, isInternal(message));
    }
  }

  // The other side has closed the channel, or is dead.
  #end() {
    const { target } = this;
    this.#reader = { isInMessage: false, read: () => [] };
    if (target.connected) target.disconnect();
    this.close();
    target.channel = null;
    this.#onEnd();
  }

  #receive(message, handle, internal) {
    if (!this.target.channel) return;
    process.nextTick(() => this.#emit(internal ? 'internalMessage' : 'message', message, handle));
  }

  #emit(event, message, handle) {
    const { target } = this;
    if (event === 'internalMessage' || target.listenerCount('message') > 0) target.emit(event, message, handle);
    else target.channel?.[kPending].push([event, message, handle]);
  }

  // Messages that arrived without a listener.
  emitPending() {
    const { target } = this;
    if (!target.channel || target.listenerCount('message') === 0) return;
    for (const args of target.channel[kPending].splice(0)) target.emit(...args);
  }

  onInternalMessage(message, fd) {
    if (isAnswer(message)) {
      this.#onAnswer(message);
      return;
    }
    if (message.cmd !== 'NODE_HANDLE') return;
    const { target } = this;
    if (fd === undefined) {
      target._send({ cmd: 'NODE_HANDLE_NACK' }, null, true);
      return;
    }
    target._send({ cmd: 'NODE_HANDLE_ACK' }, null, true);
    const { kinds } = require('internal/child_process/handles');
    kinds[message.type].make(message, fd, this, (handle) => {
      this.#receive(message.msg, handle, isInternal(message.msg));
    });
  }

  // ---- Writing ----

  send(message, handle, options, callback) {
    const { target } = this;
    checkMessage(message);
    if (typeof options === 'boolean') options = { swallowErrors: options };
    options ??= {};
    const queue = target._handleQueue;
    if (queue && !isAnswer(message)) {
      if (handle) require('internal/child_process/handles').kindOf(handle);
      queue.push({ message, handle: handle ?? null, options, callback });
      return queue.length === 1;
    }
    let native = null;
    let kind;
    if (handle) ({ message, native, kind } = this.#package(message, handle, options));
    this.#transmit(message, native, kind, options, callback);
    return this.native.queuedBytes() < kMostQueued;
  }

  // A message with a handle travels inside of one of ours.
  #package(message, object, options) {
    const { kindOf, kinds } = require('internal/child_process/handles');
    const packed = { cmd: 'NODE_HANDLE', type: kindOf(object), msg: message };
    const kind = kinds[packed.type];
    const native = kind.take(packed, object, options, this);
    // Sent before, or closed: the message goes without it.
    return native ? { message: packed, native, kind } : { message, native: null, kind };
  }

  #transmit(message, native, kind, options, callback) {
    const { target } = this;
    const bytes = this.#write(message);
    const result = this.#isOpen ? this.native.write(bytes, native === null ? -1 : native.fd) : -32; // EPIPE
    if (result < 0) {
      if (native !== null && kind.releases && !options.keepOpen) this.#release(native);
      if (native !== null) {
        // As in Node, where the write of a handle fails later and in silence.
        if (typeof callback === 'function') setImmediate(callback, null);
        return;
      }
      if (options.swallowErrors) return;
      this.#fail(new ErrnoException(result, 'write'), callback);
      return;
    }
    if (native !== null) {
      target._handleQueue ??= [];
      if (kind.releases && !options.keepOpen) {
        target._pendingMessage = { callback, message, native, kind, options, retransmissions: 0 };
      }
    }
    if (result > 0) {
      this.control.refCounted();
      this.#writes.set(result, callback);
    } else if (typeof callback === 'function') {
      process.nextTick(callback, null);
    }
  }

  #fail(error, callback) {
    if (typeof callback === 'function') process.nextTick(callback, error);
    else process.nextTick(() => this.target.emit('error', error));
  }

  #onWritten(number) {
    const callback = this.#writes.get(number);
    this.#writes.delete(number);
    this.control.unrefCounted();
    if (typeof callback === 'function') callback(null);
  }

  #release(native) {
    require('internal/child_process/handles').release(native);
  }

  #releasePending() {
    const { target } = this;
    const { native } = target._pendingMessage;
    target._pendingMessage = null;
    this.#release(native);
  }

  // The handle has arrived, or has not: on with what is queued.
  #onAnswer({ cmd }) {
    const { target } = this;
    const pending = target._pendingMessage;
    if (pending) {
      if (cmd === 'NODE_HANDLE_ACK') {
        this.#releasePending();
      } else if (pending.retransmissions++ === kRetransmissions) {
        this.#releasePending();
        process.emitWarning('Handle did not reach the receiving process correctly',
          'SentHandleNotReceivedWarning');
      }
    }
    const queue = target._handleQueue ?? [];
    target._handleQueue = null;
    if (target._pendingMessage) {
      const { message, native, kind, options, callback } = target._pendingMessage;
      const { retransmissions } = target._pendingMessage;
      this.#transmit(message, native, kind, options, callback);
      if (target._pendingMessage) target._pendingMessage.retransmissions = retransmissions;
    }
    for (const { message, handle, options, callback } of queue) {
      target._send(message, handle, options, callback);
    }
    if (!target.connected && target.channel && !target._handleQueue) target._disconnect();
  }

  // ---- The end ----

  disconnect() {
    const { target } = this;
    target.channel = null;
    if (target._pendingMessage) this.#releasePending();
    let isDone = false;
    const finish = () => {
      if (isDone) return;
      isDone = true;
      this.close();
      target.emit('disconnect');
    };
    // The rest of a message that is being read is waited for.
    if (this.#reader.isInMessage) {
      target.once('message', finish);
      target.once('internalMessage', finish);
    } else {
      process.nextTick(finish);
    }
  }

  // Takes what has come, at once.
  readAll() {
    if (this.#isOpen) this.native.readAll();
  }

  close() {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    removeHandle(this.native);
    this.native.close();
  }
}

// Gives the target what a side of a channel has. `mode` is 'json' or 'advanced'; onEnd() is called
// when the other side has gone.
function setUpChannel(target, fd, mode, onEnd = () => {}) {
  const end = new ChannelEnd(target, fd, mode, onEnd);
  target.channel = end.control;
  target._handleQueue = null;
  target._pendingMessage = null;
  target.on('internalMessage', (message, handle) => end.onInternalMessage(message, handle));
  target.on('newListener', () => process.nextTick(() => end.emitPending()));

  target.send = function(message, handle, options, callback) {
    if (typeof handle === 'function') {
      callback = handle;
      handle = undefined;
      options = undefined;
    } else if (typeof options === 'function') {
      callback = options;
      options = undefined;
    } else if (options !== undefined) {
      validateObject(options, 'options');
    }
    options = { swallowErrors: false, ...options };
    if (this.connected) return this._send(message, handle, options, callback);
    const error = new ERR_IPC_CHANNEL_CLOSED();
    if (typeof callback === 'function') process.nextTick(callback, error);
    else process.nextTick(() => this.emit('error', error));
    return false;
  };
  target._send = (message, handle, options, callback) => end.send(message, handle, options, callback);
  target.connected = true;
  target.disconnect = function() {
    if (!this.connected) {
      this.emit('error', new ERR_IPC_DISCONNECTED());
      return;
    }
    this.connected = false;
    if (!this._handleQueue) this._disconnect();
  };
  target._disconnect = () => end.disconnect();
  return end;
}

module.exports = { setUpChannel };
