'use strict';
// What 'upgrade' gets of a request that has a body, as long as that has not arrived: a stream
// that is the socket, but whose first bytes are those after the body.

const { Duplex } = require('stream');

class UpgradeStream extends Duplex {
  #socket;
  #request;

  constructor(socket, request) {
    super({ allowHalfOpen: socket.allowHalfOpen });
    this.#socket = socket;
    this.#request = request;
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
    this.on('close', () => socket.destroy());
    socket.on('end', () => {
      this.push(null);
      // As with a socket, 'end' comes even without a reader.
      if (this.readableLength === 0) this.resume();
    });
  }

  // The body is over; `head` has come after it.
  requestBodyCompleted(head) {
    this.#request = null;
    if (head?.length > 0) this.#take(head);
    this.#socket.on('data', (chunk) => this.#take(chunk));
  }

  #take(chunk) {
    if (!this.push(chunk)) this.#socket.pause();
  }

  _read() {
    // Whoever waits for the other protocol does not read the body: it must not hold that up.
    this.#request?.resume();
    this.#socket.resume();
  }

  _write(chunk, encoding, callback) {
    this.#socket.write(chunk, encoding, callback);
  }

  _final(callback) {
    this.#socket.end(callback);
  }

  _destroy(error, callback) {
    this.#socket.destroy(error);
    callback(error);
  }
}

module.exports = { UpgradeStream };
