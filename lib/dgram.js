'use strict';
// Datagram sockets.

const {
  ErrnoException, ExceptionWithHostPort, uvErrmapGet,
  codes: {
    ERR_BUFFER_OUT_OF_BOUNDS, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_FD_TYPE,
    ERR_IP_BLOCKED, ERR_MISSING_ARGS, ERR_SOCKET_ALREADY_BOUND, ERR_SOCKET_BAD_BUFFER_SIZE,
    ERR_SOCKET_BUFFER_SIZE, ERR_SOCKET_DGRAM_IS_CONNECTED, ERR_SOCKET_DGRAM_NOT_CONNECTED,
    ERR_SOCKET_DGRAM_NOT_RUNNING,
  },
} = require('internal/errors');
const { async_id_symbol, defaultTriggerAsyncIdScope } = require('internal/async_hooks');
const { closeHandle, kOwner, kStateSymbol, newHandle, onReceive, openDescriptor } = require('internal/dgram');
const clusterRole = require('internal/cluster/role');
const { isIP } = require('internal/net/address');
const {
  isInt32, validateAbortSignal, validateNumber, validateObject, validatePort, validateString,
  validateUint32,
} = require('internal/validators');
const { activeChannels } = require('internal/trace/active_channels');
const { denial } = require('internal/process/permission');
const { kEmptyObject } = require('internal/util');
const { promisify } = require('internal/util/promisify');
const EventEmitter = require('events');

const { UDP, constants: { UV_UDP_IPV6ONLY, UV_UDP_REUSEADDR, UV_UDP_REUSEPORT } } = binding('udp_wrap');

// The values of state.bindState.
const kUnbound = 0;
const kBinding = 1;
const kBound = 2;

// The values of state.connectState.
const kDisconnected = 0;
const kConnecting = 1;
const kConnected = 2;

const kByteTypes = ['Buffer', 'TypedArray', 'DataView', 'string'];

function checkBlockList(options, key) {
  const list = options[key];
  if (!list) return undefined;
  if (!require('internal/net/block_list').isBlockList(list)) {
    throw new ERR_INVALID_ARG_TYPE(`options.${key}`, 'net.BlockList', list);
  }
  return list;
}

// What is in the options beside `type` and `signal`.
function checkOptions(options) {
  const { lookup, recvBufferSize, sendBufferSize } = options;
  if (recvBufferSize) validateUint32(recvBufferSize, 'options.recvBufferSize');
  if (sendBufferSize) validateUint32(sendBufferSize, 'options.sendBufferSize');
  return {
    lookup,
    recvBufferSize,
    sendBufferSize,
    receiveBlockList: checkBlockList(options, 'receiveBlockList'),
    sendBlockList: checkBlockList(options, 'sendBlockList'),
  };
}

function Socket(type, listener) {
  Reflect.apply(EventEmitter, this, []);
  const options = type !== null && typeof type === 'object' ? type : undefined;
  if (options !== undefined) type = options.type;
  const checked = options === undefined ? kEmptyObject : checkOptions(options);

  const handle = newHandle(type, checked.lookup);
  handle[kOwner] = this;
  this[async_id_symbol] = handle.getAsyncId();
  this.type = type;
  if (typeof listener === 'function') this.on('message', listener);

  this[kStateSymbol] = {
    handle,
    receiving: false,
    bindState: kUnbound,
    connectState: kDisconnected,
    queue: undefined, // what waits for the socket to be bound
    reuseAddr: options?.reuseAddr,
    reusePort: options?.reusePort,
    ipv6Only: options?.ipv6Only,
    recvBufferSize: checked.recvBufferSize,
    sendBufferSize: checked.sendBufferSize,
    receiveBlockList: checked.receiveBlockList,
    sendBlockList: checked.sendBlockList,
  };
  if (options?.signal !== undefined) closeOnAbort(this, options.signal);
  if (activeChannels.size !== 0) activeChannels.get('udp.socket')?.publish({ socket: this });
}
Object.setPrototypeOf(Socket.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Socket, EventEmitter);

function createSocket(type, listener) {
  return new Socket(type, listener);
}

function closeOnAbort(socket, signal) {
  validateAbortSignal(signal, 'options.signal');
  const onAborted = () => {
    if (socket[kStateSymbol].handle) socket.close();
  };
  if (signal.aborted) {
    onAborted();
    return;
  }
  const { addAbortListener } = require('internal/events/abort_listener');
  socket.once('close', addAbortListener(signal, onAborted)[Symbol.dispose]);
}

function checkRunning(socket) {
  if (!socket[kStateSymbol].handle) throw new ERR_SOCKET_DGRAM_NOT_RUNNING();
}

function throwStatus(status, syscall) {
  if (status) throw new ErrnoException(status, syscall);
}

// ---- Receiving ----

// The value of handle.onmessage.
function onMessage(count, handle, buffer, about) {
  const socket = handle[kOwner];
  if (count < 0) {
    socket.emit('error', new ErrnoException(count, 'recvmsg'));
    return;
  }
  const blocked = socket[kStateSymbol].receiveBlockList;
  if (blocked?.check(about.address, about.family.toLowerCase())) return;
  socket.emit('message', buffer, about);
}

function onHandleError(count, handle, error) {
  handle[kOwner].emit('error', error);
}

function startReceiving(socket) {
  const state = socket[kStateSymbol];
  state.handle.onmessage = onMessage;
  state.handle.onerror = onHandleError;
  state.handle.recvStart(onReceive);
  state.receiving = true;
  state.bindState = kBound;
  if (state.recvBufferSize) bufferSize(socket, state.recvBufferSize, true);
  if (state.sendBufferSize) bufferSize(socket, state.sendBufferSize, false);
}

function startListening(socket) {
  startReceiving(socket);
  socket.emit('listening');
}

function stopReceiving(socket) {
  const state = socket[kStateSymbol];
  if (!state.receiving) return;
  state.handle.recvStop();
  state.receiving = false;
}

// For ticks: the socket may be closed meanwhile.
function emitIfOpen(socket, event) {
  if (socket[kStateSymbol].handle) socket.emit(event);
}

// ---- Binding ----

function anyAddress(type) {
  return type === 'udp4' ? '0.0.0.0' : '::';
}

function bindFlags({ reuseAddr, ipv6Only, reusePort }) {
  return (reuseAddr ? UV_UDP_REUSEADDR : 0) | (ipv6Only ? UV_UDP_IPV6ONLY : 0) |
    (reusePort ? UV_UDP_REUSEPORT : 0);
}

// Calls back for 'listening' unless an error comes first.
function onceListening(socket, callback) {
  function removeListeners() {
    this.removeListener(EventEmitter.errorMonitor, removeListeners);
    this.removeListener('listening', onListening);
  }
  function onListening() {
    Reflect.apply(removeListeners, this, []);
    Reflect.apply(callback, this, []);
  }
  socket.on(EventEmitter.errorMonitor, removeListeners);
  socket.on('listening', onListening);
}

// The socket continues with another handle.
function replaceHandle(socket, handle) {
  const state = socket[kStateSymbol];
  const old = state.handle;
  if (!old.hasRef() && typeof handle.unref === 'function') handle.unref();
  handle.lookup = old.lookup;
  handle.bind = old.bind;
  handle.send = old.send;
  handle[kOwner] = socket;
  closeHandle(old);
  state.handle = handle;
}

function bindToDescriptor(socket, fd) {
  const { guessHandleType } = require('internal/native/guess_handle_type');
  const type = guessHandleType(fd);
  if (type !== 'UDP') throw new ERR_INVALID_FD_TYPE(type);
  throwStatus(openDescriptor(socket[kStateSymbol].handle, fd), 'open');
  startListening(socket);
}

// In a worker of node:cluster the primary binds, for all workers that ask for the same address.
function bindThroughPrimary(socket, ip, port, flags) {
  const query = { address: ip, port, addressType: socket.type, fd: -1, flags };
  clusterRole.child._getServer(socket, query, (status, handle) => {
    if (!socket[kStateSymbol].handle) { // closed meanwhile
      handle?.close();
    } else if (status) {
      bindFailed(socket, new ExceptionWithHostPort(status, 'bind', ip, port));
    } else {
      replaceHandle(socket, handle);
      startListening(socket);
    }
  });
}

function bindFailed(socket, error) {
  socket[kStateSymbol].bindState = kUnbound;
  socket.emit('error', error);
}

Socket.prototype.bind = function(port_, address_ /* , callback */) {
  checkRunning(this);
  const state = this[kStateSymbol];
  if (state.bindState !== kUnbound) throw new ERR_SOCKET_ALREADY_BOUND();
  state.bindState = kBinding;

  const callback = arguments.length > 0 && arguments[arguments.length - 1];
  if (typeof callback === 'function') onceListening(this, callback);

  const options = port_ !== null && typeof port_ === 'object' ? port_ : undefined;
  if (typeof options?.recvStart === 'function') {
    replaceHandle(this, options);
    startListening(this);
    return this;
  }
  if (options !== undefined && isInt32(options.fd) && options.fd > 0) {
    bindToDescriptor(this, options.fd);
    return this;
  }

  const port = options === undefined ? port_ : options.port;
  let address = options === undefined ? address_ : options.address;
  const isExclusive = Boolean(options?.exclusive) || Boolean(state.reusePort);
  if (!address || typeof address === 'function') address = anyAddress(this.type);
  state.handle.lookup(address, (error, ip) => {
    if (!state.handle) return; // closed meanwhile
    if (error) {
      bindFailed(this, error);
      return;
    }
    if (clusterRole.child !== undefined && !isExclusive) {
      bindThroughPrimary(this, ip, port || 0, bindFlags(state));
      return;
    }
    const status = denial('net', ip) ?? state.handle.bind(ip, port || 0, bindFlags(state));
    if (status) bindFailed(this, new ExceptionWithHostPort(status, 'bind', ip, port));
    else startListening(this);
  });
  return this;
};

function checkNumericAddress(address, name, method) {
  validateString(address, name);
  if (isIP(address) === 0) {
    throw new ERR_INVALID_ARG_VALUE(
      name, address, `must be a numeric IP address; ${method} does not perform DNS resolution`);
  }
}

// Binds before it returns, and throws what has failed; gives the address.
Socket.prototype.bindSync = function(options = kEmptyObject) {
  checkRunning(this);
  validateObject(options, 'options');
  const state = this[kStateSymbol];
  if (state.bindState !== kUnbound) throw new ERR_SOCKET_ALREADY_BOUND();

  const port = validatePort(options.port ?? 0, 'options.port');
  let { address } = options;
  if (address) checkNumericAddress(address, 'options.address', 'bindSync');
  else address = anyAddress(this.type);

  const status = denial('net', address) ?? state.handle.bind(address, port, bindFlags(state));
  if (status) throw new ExceptionWithHostPort(status, 'bind', address, port);
  startReceiving(this);
  process.nextTick(emitIfOpen, this, 'listening');
  return this.address();
};

// ---- What waits for the socket to be bound ----

function enqueue(socket, step) {
  const state = socket[kStateSymbol];
  if (state.queue === undefined) {
    state.queue = [];
    socket.once(EventEmitter.errorMonitor, dropQueue);
    socket.once('listening', runQueue);
  }
  state.queue.push(step);
}

function dropQueue() {
  this.removeListener('listening', runQueue);
  this[kStateSymbol].queue = undefined;
}

function runQueue() {
  this.removeListener(EventEmitter.errorMonitor, dropQueue);
  const state = this[kStateSymbol];
  const { queue } = state;
  state.queue = undefined;
  for (const step of queue) step();
}

// Whether the socket is bound; begins to bind it if need be.
function isBound(socket) {
  const state = socket[kStateSymbol];
  if (state.bindState === kUnbound) socket.bind({ port: 0, exclusive: true }, null);
  return state.bindState === kBound;
}

// ---- Connecting ----

Socket.prototype.connect = function(port, address, callback) {
  port = validatePort(port, 'Port', false);
  if (typeof address === 'function') {
    callback = address;
    address = '';
  } else if (address === undefined) {
    address = '';
  }
  validateString(address, 'address');

  const state = this[kStateSymbol];
  if (state.connectState !== kDisconnected) throw new ERR_SOCKET_DGRAM_IS_CONNECTED();
  state.connectState = kConnecting;
  if (isBound(this)) lookUpAndConnect(this, port, address, callback);
  else enqueue(this, () => lookUpAndConnect(this, port, address, callback));
};

function lookUpAndConnect(socket, port, address, callback) {
  if (callback) socket.once('connect', callback);
  socket[kStateSymbol].handle.lookup(address, (error, ip) => {
    defaultTriggerAsyncIdScope(socket[async_id_symbol], doConnect, socket, error, ip, address, port, callback);
  });
}

function isBlocked({ sendBlockList }, ip) {
  return sendBlockList !== undefined && sendBlockList.check(ip, `ipv${isIP(ip)}`);
}

function doConnect(socket, error, ip, address, port, callback) {
  const state = socket[kStateSymbol];
  if (!state.handle) return;
  if (!error && isBlocked(state, ip)) error = new ERR_IP_BLOCKED(ip);
  if (!error) {
    const status = denial('net', ip) ?? state.handle.connect(ip, port);
    if (status) error = new ExceptionWithHostPort(status, 'connect', address, port);
  }
  if (!error) {
    state.connectState = kConnected;
    process.nextTick(() => socket.emit('connect'));
    return;
  }
  state.connectState = kDisconnected;
  process.nextTick(() => {
    if (!callback) {
      socket.emit('error', error);
      return;
    }
    socket.removeListener('connect', callback);
    callback(error);
  });
}

// Connects before it returns, and throws what has failed.
Socket.prototype.connectSync = function(port, address) {
  checkRunning(this);
  port = validatePort(port, 'Port', false);
  const state = this[kStateSymbol];
  if (state.connectState !== kDisconnected) throw new ERR_SOCKET_DGRAM_IS_CONNECTED();
  if (address == null || address === '') address = this.type === 'udp4' ? '127.0.0.1' : '::1';
  else checkNumericAddress(address, 'address', 'connectSync');

  if (state.bindState === kUnbound) this.bindSync();
  else if (state.bindState !== kBound) throw new ERR_SOCKET_ALREADY_BOUND();

  if (isBlocked(state, address)) throw new ERR_IP_BLOCKED(address);
  const status = denial('net', address) ?? state.handle.connect(address, port);
  if (status) throw new ExceptionWithHostPort(status, 'connect', address, port);
  state.connectState = kConnected;
  process.nextTick(emitIfOpen, this, 'connect');
};

Socket.prototype.disconnect = function() {
  const state = this[kStateSymbol];
  if (state.connectState !== kConnected) throw new ERR_SOCKET_DGRAM_NOT_CONNECTED();
  throwStatus(state.handle.disconnect(), 'connect');
  state.connectState = kDisconnected;
};

// ---- Sending ----

function wrongBytes(value, name = 'buffer') {
  return new ERR_INVALID_ARG_TYPE(name, kByteTypes, value);
}

// The view of `length` bytes from `offset` on.
function slice(bytes, offset, length) {
  if (typeof bytes === 'string') bytes = Buffer.from(bytes);
  else if (!ArrayBuffer.isView(bytes)) throw wrongBytes(bytes);
  offset >>>= 0;
  length >>>= 0;
  if (offset > bytes.byteLength) throw new ERR_BUFFER_OUT_OF_BOUNDS('offset');
  if (offset + length > bytes.byteLength) throw new ERR_BUFFER_OUT_OF_BOUNDS('length');
  return Buffer.from(bytes.buffer, bytes.byteOffset + offset, length);
}

// The views that one datagram is made of: of one string or view, or of an array of them.
function toViews(data) {
  if (typeof data === 'string') return [Buffer.from(data)];
  if (ArrayBuffer.isView(data)) return [data];
  if (!Array.isArray(data)) throw wrongBytes(data);
  return Array.from(data, (item) => {
    if (typeof item === 'string') return Buffer.from(item);
    if (!ArrayBuffer.isView(item)) throw wrongBytes(data, 'buffer list arguments');
    return item;
  });
}

// send(data, [offset, length,] [port [, address]] [, callback]): offset and length are distinguished from port and
// address by what follows them. Port and address are for a socket that is not connected, and only for it.
Socket.prototype.send = function(data, offset, length, port, address, callback) {
  const state = this[kStateSymbol];
  const isConnected = state.connectState === kConnected;
  if (isConnected) {
    if (typeof length === 'number') {
      data = slice(data, offset, length);
      if (typeof port === 'function') {
        callback = port;
        port = null;
      }
    } else {
      callback = offset;
    }
    if (port || address) throw new ERR_SOCKET_DGRAM_IS_CONNECTED();
  } else if (address || (port && typeof port !== 'function')) {
    data = slice(data, offset, length);
  } else {
    callback = port;
    port = offset;
    address = length;
  }

  const views = toViews(data);
  if (!isConnected) port = validatePort(port, 'Port', false);
  if (typeof callback !== 'function') callback = undefined;
  if (typeof address === 'function') {
    callback = address;
    address = undefined;
  } else if (address != null) {
    validateString(address, 'address');
  }
  checkRunning(this);

  if (!isBound(this)) {
    enqueue(this, () => this.send(views, port, address, callback));
  } else if (isConnected) {
    defaultTriggerAsyncIdScope(this[async_id_symbol], doSend, this, null, null, views, address, port, callback);
  } else {
    state.handle.lookup(address, (error, ip) => {
      defaultTriggerAsyncIdScope(this[async_id_symbol], doSend, this, error, ip, views, address, port, callback);
    });
  }
};

function doSend(socket, error, ip, views, address, port, callback) {
  const state = socket[kStateSymbol];
  if (error) {
    if (callback) process.nextTick(callback, error);
    else process.nextTick(() => socket.emit('error', error));
    return;
  }
  if (!state.handle) return;
  if (ip && isBlocked(state, ip)) {
    if (callback) process.nextTick(callback, new ERR_IP_BLOCKED(ip));
    return;
  }
  const done = callback && ((status, size) => {
    callback(status ? new ExceptionWithHostPort(status, 'send', address, port) : null, size);
  });
  const result = state.handle.send(views, port || 0, ip, done);
  if (!callback) return; // what fails is not reported then
  if (result > 0) process.nextTick(callback, null, result - 1);
  else if (result < 0) process.nextTick(callback, new ExceptionWithHostPort(result, 'send', address, port));
}

// The form of long ago.
Socket.prototype.sendto = function(buffer, offset, length, port, address, callback) {
  validateNumber(offset, 'offset');
  validateNumber(length, 'length');
  validateNumber(port, 'port');
  validateString(address, 'address');
  this.send(buffer, offset, length, port, address, callback);
};

Socket.prototype.getSendQueueSize = function() {
  return this[kStateSymbol].handle.getSendQueueSize();
};

Socket.prototype.getSendQueueCount = function() {
  return this[kStateSymbol].handle.getSendQueueCount();
};

// ---- Ending ----

Socket.prototype.close = function(callback) {
  const state = this[kStateSymbol];
  if (typeof callback === 'function') this.on('close', callback);
  if (state.queue !== undefined) {
    state.queue.push(() => this.close());
    return this;
  }
  checkRunning(this);
  stopReceiving(this);
  closeHandle(state.handle);
  state.handle = null;
  defaultTriggerAsyncIdScope(this[async_id_symbol], process.nextTick, emitCloseNT, this);
  return this;
};

function emitCloseNT(socket) {
  socket.emit('close');
}

Socket.prototype[Symbol.asyncDispose] = async function() {
  if (!this[kStateSymbol].handle) return;
  await Reflect.apply(promisify(this.close), this, []);
};

// ---- Addresses and options ----

Socket.prototype.address = function() {
  checkRunning(this);
  const address = {};
  throwStatus(this[kStateSymbol].handle.getsockname(address), 'getsockname');
  return address;
};

Socket.prototype.remoteAddress = function() {
  checkRunning(this);
  const state = this[kStateSymbol];
  if (state.connectState !== kConnected) throw new ERR_SOCKET_DGRAM_NOT_CONNECTED();
  const address = {};
  throwStatus(state.handle.getpeername(address), 'getpeername');
  return address;
};

Socket.prototype.setBroadcast = function(on) {
  throwStatus(this[kStateSymbol].handle.setBroadcast(on ? 1 : 0), 'setBroadcast');
};

Socket.prototype.setTTL = function(ttl) {
  validateNumber(ttl, 'ttl');
  throwStatus(this[kStateSymbol].handle.setTTL(ttl), 'setTTL');
  return ttl;
};

Socket.prototype.setMulticastTTL = function(ttl) {
  validateNumber(ttl, 'ttl');
  throwStatus(this[kStateSymbol].handle.setMulticastTTL(ttl), 'setMulticastTTL');
  return ttl;
};

Socket.prototype.setMulticastLoopback = function(on) {
  throwStatus(this[kStateSymbol].handle.setMulticastLoopback(on ? 1 : 0), 'setMulticastLoopback');
  return on;
};

Socket.prototype.setMulticastInterface = function(interfaceAddress) {
  checkRunning(this);
  validateString(interfaceAddress, 'interfaceAddress');
  throwStatus(this[kStateSymbol].handle.setMulticastInterface(interfaceAddress), 'setMulticastInterface');
};

Socket.prototype.addMembership = function(multicastAddress, interfaceAddress) {
  checkRunning(this);
  if (!multicastAddress) throw new ERR_MISSING_ARGS('multicastAddress');
  throwStatus(this[kStateSymbol].handle.addMembership(multicastAddress, interfaceAddress), 'addMembership');
};

Socket.prototype.dropMembership = function(multicastAddress, interfaceAddress) {
  checkRunning(this);
  if (!multicastAddress) throw new ERR_MISSING_ARGS('multicastAddress');
  throwStatus(this[kStateSymbol].handle.dropMembership(multicastAddress, interfaceAddress), 'dropMembership');
};

function changeSourceMembership(socket, method, sourceAddress, groupAddress, interfaceAddress) {
  checkRunning(socket);
  validateString(sourceAddress, 'sourceAddress');
  validateString(groupAddress, 'groupAddress');
  throwStatus(socket[kStateSymbol].handle[method](sourceAddress, groupAddress, interfaceAddress), method);
}

Socket.prototype.addSourceSpecificMembership = function(sourceAddress, groupAddress, interfaceAddress) {
  changeSourceMembership(this, 'addSourceSpecificMembership', sourceAddress, groupAddress, interfaceAddress);
};

Socket.prototype.dropSourceSpecificMembership = function(sourceAddress, groupAddress, interfaceAddress) {
  changeSourceMembership(this, 'dropSourceSpecificMembership', sourceAddress, groupAddress, interfaceAddress);
};

Socket.prototype.ref = function() {
  this[kStateSymbol].handle?.ref();
  return this;
};

Socket.prototype.unref = function() {
  this[kStateSymbol].handle?.unref();
  return this;
};

// A size of 0 asks for it.
function bufferSize(socket, size, isReceive) {
  if (size >>> 0 !== size) throw new ERR_SOCKET_BAD_BUFFER_SIZE();
  const result = socket[kStateSymbol].handle.bufferSize(size, isReceive);
  if (result >= 0) return result;
  const [code, message] = uvErrmapGet(result);
  const syscall = isReceive ? 'uv_recv_buffer_size' : 'uv_send_buffer_size';
  throw new ERR_SOCKET_BUFFER_SIZE({ errno: result, code, message, syscall });
}

Socket.prototype.setRecvBufferSize = function(size) {
  bufferSize(this, size, true);
};

Socket.prototype.setSendBufferSize = function(size) {
  bufferSize(this, size, false);
};

Socket.prototype.getRecvBufferSize = function() {
  return bufferSize(this, 0, true);
};

Socket.prototype.getSendBufferSize = function() {
  return bufferSize(this, 0, false);
};

// The name by which programs of long ago find the socket of a handle.
Object.defineProperty(UDP.prototype, 'owner', {
  __proto__: null,
  get() { return this[kOwner]; },
  set(value) { this[kOwner] = value; },
});

module.exports = { createSocket, Socket };
