'use strict';
// Sockets, servers and bound sockets that are transferred to another thread by postMessage(): their descriptor goes there,
// and they end here.

const { codes: { ERR_WORKER_HANDLE_NOT_TRANSFERABLE } } = require('internal/errors');
const { BoundSocket, adopt, kEmpty, restore, transferable } = require('internal/net/bound_socket');
const { closeHandle, initHandle } = require('internal/native/stream_handle');
const { kDeserialize, kTransfer, kTransferList, markClassAsTransferable } = require('internal/messaging/transferable');

function define(prototype, methods) {
  for (const key of Reflect.ownKeys(methods)) {
    Object.defineProperty(prototype, key, { __proto__: null, value: methods[key], writable: true, configurable: true, enumerable: true });
  }
}

function hasTcpHandle(object) {
  const { TCP } = binding('tcp');
  return object._handle instanceof TCP;
}

// The handle is closed; the connection, or the queue of the server, continues with the returned descriptor.
function takeDescriptor(handle) {
  const fd = binding('ipc').duplicateDescriptor(handle.fd);
  if (fd < 0) {
    const { ErrnoException } = require('internal/errors');
    throw new ErrnoException(fd, 'dup');
  }
  closeHandle(handle);
  return fd;
}

function checkDescriptor(data, name) {
  if (!Number.isInteger(data?.fd) || binding('ipc').descriptorType(data.fd) !== 'TCP') {
    throw new ERR_WORKER_HANDLE_NOT_TRANSFERABLE(name);
  }
}

// ---- Sockets ----

function checkSocket(socket) {
  if (!hasTcpHandle(socket) || socket.destroyed || socket.connecting || socket.bytesRead > 0 || socket.bytesWritten > 0 ||
      socket.readableLength > 0 || socket.writableLength > 0 || socket.readableEncoding != null) {
    throw new ERR_WORKER_HANDLE_NOT_TRANSFERABLE('net.Socket');
  }
}

const ofSocket = {
  [kTransferList]() {
    checkSocket(this);
    return [];
  },

  [kTransfer]() {
    checkSocket(this);
    const handle = this._handle;
    handle.onread = () => {};
    handle.reading = false;
    handle.readStop();
    const descriptor = takeDescriptor(handle);
    this._handle = null;
    this.destroy();
    return { data: { fd: descriptor, allowHalfOpen: this.allowHalfOpen }, descriptor, deserializeInfo: 'net:Socket' };
  },

  [kDeserialize](data) {
    checkDescriptor(data, 'net.Socket');
    const { kReinitializeHandle } = require('internal/net/socket');
    const { openConnection } = require('internal/child_process/handles');
    this.allowHalfOpen = Boolean(data.allowHalfOpen);
    this[kReinitializeHandle](openConnection(data.fd));
    this.readable = true;
    this.writable = true;
  },
};

// ---- Servers ----

function checkServer(server) {
  if (!hasTcpHandle(server)) throw new ERR_WORKER_HANDLE_NOT_TRANSFERABLE('net.Server');
}

const kOptions = ['allowHalfOpen', 'pauseOnConnect', 'noDelay', 'keepAlive', 'keepAliveInitialDelay', 'highWaterMark'];

const ofServer = {
  [kTransferList]() {
    checkServer(this);
    return [];
  },

  [kTransfer]() {
    checkServer(this);
    this._handle.share(); // so that closing it does not end the listening
    const data = { fd: takeDescriptor(this._handle) };
    for (const name of kOptions) data[name] = this[name];
    this._handle = null;
    return { data, descriptor: data.fd, deserializeInfo: 'net:Server' };
  },

  [kDeserialize](data) {
    checkDescriptor(data, 'net.Server');
    for (const name of kOptions) this[name] = data[name];
    this.listen({ fd: data.fd });
  },
};

// ---- Bound sockets ----

const kBoundName = 'net.BoundSocket';

function checkBound(bound) {
  if (transferable(bound) === undefined) throw new ERR_WORKER_HANDLE_NOT_TRANSFERABLE(kBoundName);
}

const ofBound = {
  [kTransferList]() {
    checkBound(this);
    return [];
  },

  [kTransfer]() {
    checkBound(this);
    const descriptor = takeDescriptor(adopt(this).handle);
    return { data: { fd: descriptor }, descriptor, deserializeInfo: 'internal/net/transfer:EmptyBoundSocket' };
  },

  [kDeserialize](data) {
    checkDescriptor(data, kBoundName);
    const handle = initHandle(new (binding('tcp').TCP)(), 'TCPWRAP');
    handle.reserveFrom(data.fd);
    restore(this, handle);
  },
};

// Without a handle, for the receiving thread.
function EmptyBoundSocket() {
  return new BoundSocket(kEmpty);
}
EmptyBoundSocket.prototype = BoundSocket.prototype;

function makeClassTransferable({ prototype }, methods) {
  define(prototype, methods);
  markClassAsTransferable({ prototype });
}

function makeTransferable(Socket, Server) {
  makeClassTransferable(Socket, ofSocket);
  makeClassTransferable(Server, ofServer);
}

makeClassTransferable(BoundSocket, ofBound);

module.exports = { EmptyBoundSocket, makeTransferable };
