'use strict';
// The standard streams of a Worker. The data goes through the port between it and its parent; the
// writing side waits until the reading side asks for more.

const { Readable, Writable } = require('stream');
const { kTypes } = require('internal/worker/shared');

const kPort = Symbol('kPort');
const kName = Symbol('kName');
const kMore = Symbol('kMore');
// A stream that is waited for keeps its port referenced, and so the program running. Counted.
const kWaiting = Symbol('kWaiting');
// Whether a stream that is read does that. Not where the data is only forwarded to our own output.
const kKeepsAlive = Symbol('kKeepsAlive');

function wait(port) {
  if (port[kWaiting]++ === 0) port.ref();
}

function stopWaiting(port) {
  if (--port[kWaiting] === 0) port.unref();
}

class ReadableWorkerStdio extends Readable {
  #isWaiting = false;

  constructor(port, name) {
    super();
    this[kPort] = port;
    this[kName] = name;
    this[kKeepsAlive] = true;
    this.on('end', () => {
      if (!this.#isWaiting) return;
      this.#isWaiting = false;
      stopWaiting(port);
    });
  }

  _read() {
    if (!this.#isWaiting && this[kKeepsAlive]) {
      this.#isWaiting = true;
      wait(this[kPort]);
    }
    this[kPort].postMessage({ type: kTypes.wantOutput, stream: this[kName] });
  }
}

class WritableWorkerStdio extends Writable {
  #callback;

  constructor(port, name) {
    super({ decodeStrings: false });
    this[kPort] = port;
    this[kName] = name;
  }

  #send(chunks) {
    this[kPort].postMessage({ type: kTypes.output, stream: this[kName], chunks });
  }

  _writev(chunks, callback) {
    this.#send(chunks.map(({ chunk, encoding }) => ({ chunk, encoding })));
    // Nobody will answer any more: what is written in an 'exit' listener is sent all the same.
    if (process._exiting) {
      callback();
      return;
    }
    this.#callback = callback;
    wait(this[kPort]);
  }

  _final(callback) {
    this.#send([{ chunk: null, encoding: '' }]);
    callback();
  }

  // The reading side wants more.
  [kMore]() {
    const callback = this.#callback;
    if (callback === undefined) return;
    this.#callback = undefined;
    callback();
    stopWaiting(this[kPort]);
  }
}

function createWorkerStdio(port) {
  port[kWaiting] = 0;
  return {
    stdin: new ReadableWorkerStdio(port, 'stdin'),
    stdout: new WritableWorkerStdio(port, 'stdout'),
    stderr: new WritableWorkerStdio(port, 'stderr'),
  };
}

function pushChunks(stream, chunks) {
  for (const { chunk, encoding } of chunks) stream.push(chunk, encoding);
}

module.exports = {
  ReadableWorkerStdio, WritableWorkerStdio, createWorkerStdio, kKeepsAlive, kMore, kWaiting, pushChunks,
};
