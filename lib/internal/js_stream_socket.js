'use strict';
// A net.Socket whose handle is a stream of JavaScript: what TLS needs to work above any Duplex.

const { initHandle } = require('internal/native/stream_handle');
const { codes: { ERR_STREAM_WRAP } } = require('internal/errors');
const { Socket } = require('net');

const { errnoOf } = require('internal/tls/errno');

const { JSStream } = binding('js_stream');

const ECANCELED = -125;
const EPIPE = -32;

class JSStreamSocket extends Socket {
  #isWriting = false;
  #isClosing = false;

  constructor(stream) {
    const handle = initHandle(new JSStream(), 'JSSTREAM');
    stream.pause();
    super({ handle, manualStart: true });
    this.stream = stream;
    handle.close = (callback) => this.#close(handle, callback);
    handle.onreadstart = () => stream.resume();
    handle.onreadstop = () => stream.pause();
    handle.onwrite = (buffer) => this.#write(handle, buffer);
    handle.onshutdown = () => this.#end();

    stream.on('error', (error) => this.emit('error', error));
    const onData = (chunk) => {
      if (typeof chunk === 'string' || stream.readableObjectMode === true) {
        stream.pause();
        stream.removeListener('data', onData);
        this.emit('error', new ERR_STREAM_WRAP());
        return;
      }
      this._handle?.readBuffer(chunk);
    };
    stream.on('data', onData);
    stream.once('end', () => this._handle?.emitEOF());
    // Errors have been emitted here as well.
    stream.once('close', () => this.destroy());
    this.readable = stream.readable;
    this.writable = stream.writable;
    this.read(0);
  }

  // The name that Node's tests know.
  static get StreamWrap() {
    return JSStreamSocket;
  }

  #write(handle, buffer) {
    if (this.#isClosing || this._handle === null) return; // close() cancels it
    this.#isWriting = true;
    let isDone = false;
    this.stream.write(buffer, (error) => {
      if (isDone) return;
      isDone = true;
      const status = error ? errnoOf(error.code) || EPIPE : 0;
      // Never before the call that wrote has returned.
      setImmediate(() => this.#finishWrite(handle, status));
    });
  }

  #finishWrite(handle, status) {
    if (!this.#isWriting) return;
    this.#isWriting = false;
    handle.finishWrite(status);
  }

  #end() {
    if (this.#isClosing) return;
    process.nextTick(() => this.stream.end());
  }

  #close(handle, callback) {
    this.#isClosing = true;
    // The other side of the stream has to see that we are gone.
    this.stream.destroy();
    setImmediate(() => {
      this.#finishWrite(handle, ECANCELED);
      this.#isClosing = false;
      callback();
    });
  }
}

module.exports = JSStreamSocket;
