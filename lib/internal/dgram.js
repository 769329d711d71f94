'use strict';
// Handles of datagram sockets (src/runtime/bindings/network/udp_wrap.cpp).

const { codes: { ERR_SOCKET_BAD_TYPE } } = require('internal/errors');
const { async_id_symbol, emitAfter, emitBefore, emitFailure, trigger_async_id_symbol } = require('internal/async_hooks');
const { closeHandle, initHandle, kOwner } = require('internal/native/stream_handle');
const { guessHandleType } = require('internal/native/guess_handle_type');
const { hasDescriptor } = require('internal/native/open_handles');
const { isIP } = require('internal/net/address');
const { isInt32, validateFunction } = require('internal/validators');

const kStateSymbol = Symbol('state symbol');

const EEXIST = -17;
const EINVAL = -22;

// A literal of the right family is its own result, one tick later; anything else is looked up.
function defaultLookup(address, family, callback) {
  if (isIP(address) === family) process.nextTick(callback, null, address, family);
  else require('dns').lookup(address, family, callback);
}

function newHandle(type, lookup) {
  if (lookup === undefined) lookup = defaultLookup;
  else validateFunction(lookup, 'lookup');
  if (type !== 'udp4' && type !== 'udp6') throw new ERR_SOCKET_BAD_TYPE();

  const handle = initHandle(new (binding('udp_wrap').UDP)(), 'UDPWRAP');
  if (type === 'udp4') {
    handle.lookup = (address, callback) => lookup(address || '127.0.0.1', 4, callback);
    return handle;
  }
  handle.lookup = (address, callback) => lookup(address || '::1', 6, callback);
  handle.bind = handle.bind6;
  handle.connect = handle.connect6;
  handle.send = handle.send6;
  return handle;
}

// Takes over a descriptor that no other handle has. Returns a status.
function openDescriptor(handle, fd) {
  return hasDescriptor(fd) ? EEXIST : handle.open(fd);
}

// A handle, or a negative number.
function _createSocketHandle(address, port, addressType, fd, flags) {
  const handle = newHandle(addressType);
  let status = 0;
  if (isInt32(fd) && fd > 0) {
    status = guessHandleType(fd) === 'UDP' ? openDescriptor(handle, fd) : EINVAL;
  } else if (port || address) {
    status = handle.bind(address, port || 0, flags);
  }
  if (!status) return handle;
  closeHandle(handle);
  return status;
}

// What recvStart() of a handle is given: a datagram, or a status below 0.
function onReceive(status, buffer, address, isIPv6, port) {
  const asyncId = this[async_id_symbol];
  emitBefore(asyncId, this[trigger_async_id_symbol], this, status < 0 ? 'error' : 'message');
  if (status < 0) {
    emitFailure(status);
    this.onmessage(status, this);
  } else {
    this.onmessage(buffer.length, this, buffer, { address, family: isIPv6 ? 'IPv6' : 'IPv4', port, size: buffer.length });
  }
  emitAfter(asyncId);
}

module.exports = {
  _createSocketHandle,
  closeHandle,
  kOwner,
  kStateSymbol,
  newHandle,
  onReceive,
  openDescriptor,
};
