'use strict';
// What can be sent along with a message to another process: sockets and servers. Each kind knows how
// to give its descriptor away, and what to make of one that has come.

const net = require('net');
const { codes: { ERR_INVALID_HANDLE_TYPE } } = require('internal/errors');
const { receivedSockets, sentSockets } = require('internal/child_process/socket_lists');
const { closeHandle, initHandle } = require('internal/native/stream_handle');
const { closeDescriptor, descriptorType, isConnected } = binding('ipc');

// A socket that has come and is not connected. server.listen() takes it, as anything that has an `fd`.
class NativeHandle {
  constructor(fd) {
    this.fd = fd;
    this.type = descriptorType(fd);
  }

  close() {
    if (this.fd >= 0) closeDescriptor(this.fd);
    this.fd = -1;
  }
}

// A handle for a connection.
function openConnection(fd) {
  if (descriptorType(fd) === 'TCP') {
    const handle = initHandle(new (binding('tcp').TCP)(), 'TCPWRAP');
    if (handle.open(fd) === 0) return handle;
    closeHandle(handle);
  }
  return initHandle(new (binding('pipe').Descriptor)(fd, false), 'PIPEWRAP');
}

function dgramHandle(socket) {
  const { kStateSymbol } = require('internal/dgram');
  return socket[kStateSymbol].handle;
}

// take(message, object, options, channel): the handle to send; what is not kept open here is closed
// by release(handle) when the other side has it. make(message, fd, channel, emit): what becomes of it there.
const kinds = {
  'net.Native': {
    take: (message, handle) => handle,
    make: (message, fd, channel, emit) => emit(isConnected(fd) ? openConnection(fd) : new NativeHandle(fd)),
  },

  'net.Server': {
    take(message, server) {
      server._handle?.share();
      return server._handle;
    },
    make(message, fd, channel, emit) {
      const server = new net.Server();
      server.listen({ fd }, () => emit(server));
    },
  },

  'net.Socket': {
    take(message, socket, options, channel) {
      const handle = socket._handle;
      if (!handle) return undefined;
      if (socket.server) {
        message.key = socket.server._connectionKey;
        const { list, isNew } = sentSockets(channel.target, channel.sent, message.key);
        if (isNew) socket.server._setupWorker(list);
        if (!options.keepOpen) socket.server._connections--;
      }
      if (!options.keepOpen) detachSocket(socket, handle);
      return handle;
    },
    releases: true,
    make(message, fd, channel, emit) {
      const socket = new net.Socket({ fd, readable: true, writable: true });
      if (message.key) receivedSockets(channel.target, channel.received, message.key).add(socket);
      emit(socket);
    },
  },

  'dgram.Native': {
    take: (message, handle) => handle,
    make: (message, fd, channel, emit) => emit(new NativeHandle(fd)),
  },

  'dgram.Socket': {
    take(message, socket) {
      message.dgramType = socket.type;
      return dgramHandle(socket);
    },
    make(message, fd, channel, emit) {
      const socket = require('dgram').createSocket(message.dgramType);
      socket.bind({ fd }, () => emit(socket));
    },
  },
};

// It is the other process's from now on: nothing is read here any more.
function detachSocket(socket, handle) {
  handle.onread = () => {};
  handle.reading = false;
  handle.readStop();
  socket._handle = null;
  socket.setTimeout(0);
  if (socket.parser) releaseParser(socket);
}

function releaseParser(socket) {
  const { HTTPParser, freeParser } = require('_http_common');
  if (!(socket.parser instanceof HTTPParser)) return;
  freeParser(socket.parser, null, socket);
  if (socket._httpMessage) socket._httpMessage.detachSocket(socket);
}

function kindOf(object) {
  if (object instanceof net.Socket) return 'net.Socket';
  if (object instanceof net.Server) return 'net.Server';
  if (object instanceof NativeHandle) return object.type === 'UDP' ? 'dgram.Native' : 'net.Native';
  if (object instanceof binding('tcp').TCP || object instanceof binding('pipe').Pipe) return 'net.Native';
  if (isDgramSocket(object)) return 'dgram.Socket';
  throw new ERR_INVALID_HANDLE_TYPE();
}

// Without loading node:dgram, which has to be there if there is a socket of it.
function isDgramSocket(object) {
  return object?.constructor?.name === 'Socket' && object instanceof require('dgram').Socket;
}

function release(handle) {
  if (handle instanceof NativeHandle) handle.close();
  else closeHandle(handle);
}

module.exports = { NativeHandle, kindOf, kinds, openConnection, release };
