'use strict';
// What the primary listens on for its workers. One such object for each address; workers are added
// and removed, and the last one closes it.

const { NativeHandle } = require('internal/child_process/handles');
const { send } = require('internal/cluster/messages');
const { closeHandle } = require('internal/native/stream_handle');

// Flags of TCP and UDP.
const kIpv6Only = 1;
const kReuseAddress = 4;

// The primary accepts, and gives each connection to the next worker that is free.
class RoundRobinHandle {
  #all = new Map(); // worker id -> worker
  #free = new Map(); // the same, of those that wait for a connection
  #waiting = []; // connections
  #sent = new Map(); // worker id -> the connection that the worker has not accepted yet
  #handle = null;
  #server;

  constructor(key, address, { port, fd, flags, backlog, readableAll, writableAll }) {
    this.key = key;
    this.#server = require('net').createServer();
    if (fd >= 0) {
      this.#server.listen({ fd, backlog });
    } else if (port >= 0) {
      this.#server.listen({ port, host: address, ipv6Only: Boolean(flags & kIpv6Only), backlog });
    } else {
      this.#server.listen({ path: address, backlog, readableAll, writableAll });
    }
    this.#server.once('listening', () => {
      this.#handle = this.#server._handle;
      this.#handle.onconnection = (status, connection) => this.#distribute(status, connection);
      this.#server._handle = null;
      this.#server = null;
    });
  }

  // reply(status, message): when the primary listens.
  add(worker, reply) {
    this.#all.set(worker.id, worker);
    const done = () => {
      const sockname = {};
      if (this.#handle.getsockname?.(sockname) === 0) reply(null, { sockname }, null);
      else reply(null, null, null);
      this.#handOff(worker);
    };
    if (this.#server === null) {
      done();
      return;
    }
    this.#server.once('listening', done);
    this.#server.once('error', ({ errno }) => reply(errno, null));
  }

  // Whether it was the last one.
  remove(worker) {
    if (!worker.process.connected) this.#dropSent(worker);
    const existed = this.#all.delete(worker.id);
    if (!existed) return false;
    this.#free.delete(worker.id);
    if (this.#all.size !== 0) return false;
    for (const connection of this.#waiting.splice(0)) closeHandle(connection);
    if (this.#handle !== null) closeHandle(this.#handle);
    this.#handle = null;
    return true;
  }

  has(worker) {
    return this.#all.has(worker.id);
  }

  #distribute(status, connection) {
    // Somebody has closed the server meanwhile, or it failed: then there is nothing to give away.
    if (connection === undefined) return;
    this.#waiting.push(connection);
    const next = this.#free.entries().next();
    if (next.done) return;
    const [id, worker] = next.value;
    this.#free.delete(id);
    this.#handOff(worker);
  }

  // The worker has died, perhaps when it had read from the connection: no other worker can serve it.
  #dropSent({ id }) {
    const connection = this.#sent.get(id);
    this.#sent.delete(id);
    if (connection !== undefined) closeHandle(connection);
  }

  // The worker takes the next connection, or waits for one.
  #handOff(worker) {
    if (!this.#all.has(worker.id)) return;
    const connection = this.#waiting.shift();
    if (connection === undefined) {
      this.#free.set(worker.id, worker);
      return;
    }
    const onAnswer = ({ accepted }) => {
      // Else it was dropped: the answer came after the worker was removed.
      if (this.#sent.delete(worker.id)) {
        if (accepted) closeHandle(connection);
        else this.#distribute(0, connection);
      }
      this.#handOff(worker);
    };
    // It is gone: another one takes the connection.
    const onFailure = () => {
      if (this.#sent.delete(worker.id)) this.#distribute(0, connection);
    };
    this.#sent.set(worker.id, connection);
    const sent = send(worker.process, { act: 'newconn', key: this.key }, connection, onAnswer, onFailure);
    if (sent === false && !worker.process.connected) onFailure();
  }
}

function bindFor(address, { port, addressType, fd, flags }) {
  if (fd >= 0) return fd;
  const { bindSocket } = binding('ipc');
  const isUdp = addressType === 'udp4' || addressType === 'udp6';
  const isPipe = !isUdp && port < 0;
  const any = addressType === 'udp4' ? '0.0.0.0' : undefined;
  return bindSocket(isUdp ? 'udp' : isPipe ? 'pipe' : 'tcp', address ?? any, Math.max(port, 0) || 0,
    Boolean(flags & kIpv6Only), isUdp && Boolean(flags & kReuseAddress));
}

// The workers accept, all from the same socket.
class SharedHandle {
  #workers = new Set();
  #handle = null;
  #status = 0;

  constructor(key, address, query) {
    this.key = key;
    const fd = bindFor(address, query);
    if (fd < 0) this.#status = fd;
    else this.#handle = new NativeHandle(fd);
  }

  add(worker, reply) {
    this.#workers.add(worker.id);
    reply(this.#status, null, this.#handle);
  }

  remove(worker) {
    if (!this.#workers.delete(worker.id) || this.#workers.size !== 0) return false;
    this.#handle?.close();
    this.#handle = null;
    return true;
  }

  has(worker) {
    return this.#workers.has(worker.id);
  }
}

module.exports = { RoundRobinHandle, SharedHandle };
