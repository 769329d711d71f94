'use strict';
// How a socket gets its connection: the address is looked up if it has to be, and where a name has
// several addresses, one is tried after the other (RFC 8305), each for a quarter of a second before
// the next.

const {
  ExceptionWithHostPort, NodeAggregateError,
  codes: {
    ERR_INVALID_ADDRESS_FAMILY, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_IP_ADDRESS,
    ERR_IP_BLOCKED, ERR_MISSING_ARGS, ERR_SOCKET_CONNECTION_TIMEOUT,
  },
} = require('internal/errors');
const {
  async_id_symbol, defaultTriggerAsyncIdScope, emitAfter, emitBefore, emitDestroy, emitFailure, initResource,
  trigger_async_id_symbol,
} = require('internal/async_hooks');
const { pipePaths } = require('internal/native/open_handles');
const { others } = require('internal/native/requests');
const { closeHandle, initHandle } = require('internal/native/stream_handle');
const { hasObserver, startPerf, stopPerf } = require('internal/perf/observe');
const { traced } = require('internal/trace/traced');
const { SafeWeakMap } = require('internal/util/safe');
const { isIP } = require('internal/net/address');
const {
  Socket, applyOptions, initSocketHandle, kBound, kReinitializeHandle,
} = require('internal/net/socket');
const {
  validateBoolean, validateFunction, validateInt32, validateNumber, validatePort, validateString,
  validateStringWithoutNullBytes,
} = require('internal/validators');

const { denial } = require('internal/process/permission');

const kLeastAttemptMs = 10;
const kStatistics = Symbol('SocketStatistics');
const EINVAL = -22;
const ETIMEDOUT = -110;

const defaults = { autoSelectFamily: true, attemptTimeoutMs: 500 };

function getDefaultAutoSelectFamily() {
  return defaults.autoSelectFamily;
}

function setDefaultAutoSelectFamily(value) {
  validateBoolean(value, 'value');
  defaults.autoSelectFamily = value;
}

function getDefaultAutoSelectFamilyAttemptTimeout() {
  return defaults.attemptTimeoutMs;
}

function setDefaultAutoSelectFamilyAttemptTimeout(value) {
  validateInt32(value, 'value', 1);
  defaults.attemptTimeoutMs = Math.max(value, kLeastAttemptMs);
}

const connects = new SafeWeakMap(); // handle -> its request, for --why-alive

function connectOf(handle) {
  return connects.get(handle);
}

class ConnectWrap {
  #handle;

  constructor(type, handle, properties) {
    Object.assign(this, properties);
    this.#handle = handle;
    connects.set(handle, this);
    // Above TLS, the handle below is what connects.
    const { [async_id_symbol]: maker } = handle._parent ?? handle;
    defaultTriggerAsyncIdScope(maker, initResource, this, type);
  }

  get handle() {
    return this.#handle;
  }
}
class TCPConnectWrap extends ConnectWrap {}
class PipeConnectWrap extends ConnectWrap {}

// Node's protocol, which programs that replace connect() of a handle follow (msw, nock): they keep the request and call its
// `oncomplete` when they like.
function connectHandle(handle, request, { path, address, port }, step) {
  request.oncomplete = (status) => complete(request, status, () => step(status));
  const refused = denial('net', path ?? address);
  if (refused !== undefined) return refused;
  if (path !== undefined) return handle.connect(request, path);
  return isIP(address) === 6 ? handle.connect6(request, address, port) : handle.connect(request, address, port);
}

// For a connection to this path, or, if it is undefined, to an address.
function makeHandle(path) {
  if (path === undefined) return initHandle(new (binding('tcp').TCP)(), 'TCPWRAP');
  const handle = new (binding('pipe').Pipe)();
  if (typeof path === 'string') pipePaths.set(handle, path); // anything else is refused later, or not known yet
  return initHandle(handle, 'PIPEWRAP');
}

// socket.connect(), with its arguments in order.
function connect(socket, options, callback) {
  if (options.port === undefined && options.path == null) {
    throw new ERR_MISSING_ARGS(['options', 'port', 'path']);
  }
  if (socket.write !== Socket.prototype.write) socket.write = Socket.prototype.write;
  if (socket.destroyed) {
    socket._undestroy();
    socket._handle = null;
    socket._peername = undefined;
    socket._sockname = undefined;
    socket[kBound] = undefined;
  }
  const { path } = options;
  const bound = socket[kBound];
  const isPipe = bound ? bound.path !== undefined : Boolean(path);
  if (!socket._handle) {
    socket._handle = makeHandle(isPipe ? path : undefined);
    initSocketHandle(socket);
  }
  if (callback !== null) socket.once('connect', callback);
  socket._unrefTimer();
  socket.connecting = true;
  if (isPipe) {
    validateString(path, 'options.path');
    defaultTriggerAsyncIdScope(socket[async_id_symbol], connectTo, socket, { path });
  } else {
    lookupAndConnect(socket, options);
  }
  return socket;
}

function isBlocked({ blockList }, address) {
  return Boolean(blockList?.check(address, `ipv${isIP(address)}`));
}

// ---- One address ----

// `target`: { path } or { address, port, localAddress, localPort }
function connectTo(socket, target) {
  const { path, address, port, localPort } = target;
  let { localAddress } = target;
  const handle = socket._handle;
  if (localAddress || localPort) {
    localAddress ||= isIP(address) === 6 ? '::' : '0.0.0.0';
    const status = isIP(localAddress) === isIP(address) ? handle.bind(localAddress, localPort | 0) : EINVAL;
    if (status) {
      socket.destroy(new ExceptionWithHostPort(status, 'bind', localAddress, localPort));
      return;
    }
    target = { ...target, localAddress };
  }
  if (path === undefined) {
    socket.emit('connectionAttempt', address, port, isIP(address));
    if (!socket.connecting) return; // destroyed by a listener
    if (isBlocked(socket, address)) {
      socket.destroy(new ERR_IP_BLOCKED(address));
      return;
    }
  }
  const request = path !== undefined ?
    new PipeConnectWrap('PIPECONNECTWRAP', handle, { address: path }) :
    new TCPConnectWrap('TCPCONNECTWRAP', handle, { address, port, localAddress, localPort });
  const status = connectHandle(handle, request, target, (result) => afterConnect(socket, handle, target, result));
  if (status) {
    const { address: localAddress, port: localPort } = socket[kBound] ? socket._getsockname() : target;
    socket.destroy(connectError({ ...target, localAddress, localPort }, status));
    return;
  }
  others.add(request);
  if (traced.connect !== undefined) traced.connect('b', request[async_id_symbol], target);
  measure(socket, target);
}

// For the observers of performance entries.
function measure(socket, { address: host, port }) {
  if (host === undefined || !hasObserver('net')) return;
  startPerf(socket, kStatistics, { type: 'net', name: 'connect', detail: { host, port } });
}

function complete(request, status, step) {
  const asyncId = request[async_id_symbol];
  if (traced.connect !== undefined) traced.connect('e', asyncId, status);
  emitBefore(asyncId, request[trigger_async_id_symbol], request);
  if (status !== 0) emitFailure(status);
  try {
    step();
  } finally {
    others.delete(request);
  }
  emitAfter(asyncId);
  emitDestroy(asyncId);
}

function connectError(target, status) {
  const { path, address, port, localAddress, localPort } = target;
  const details = localAddress && localPort ? `${localAddress}:${localPort}` : localAddress;
  const error = new ExceptionWithHostPort(status, 'connect', path ?? address, port, details);
  if (details) {
    error.localAddress = localAddress;
    error.localPort = localPort;
  }
  return error;
}

function afterConnect(socket, handle, target, status) {
  // It may have been destroyed, or have been restarted, meanwhile.
  if (socket.destroyed || socket._handle !== handle) return;
  socket.connecting = false;
  socket._sockname = null;
  if (status !== 0) {
    const error = connectError(target, status);
    const { path, address, port } = target;
    socket.emit('connectionAttemptFailed', path ?? address, port, isIP(address) || undefined, error);
    socket.destroy(error);
    return;
  }
  applyOptions(socket, handle);
  socket._unrefTimer();
  socket.emit('connect');
  socket.emit('ready');
  // Reading begins; as nothing has come yet, it only says so.
  if (socket.readable && !socket.isPaused()) socket.read(0);
  if (socket[kStatistics] && hasObserver('net')) stopPerf(socket, kStatistics);
}

// ---- Looking up ----

function checkOptions(options) {
  const { localAddress, localPort } = options;
  let { port, autoSelectFamily, autoSelectFamilyAttemptTimeout: attemptTimeoutMs } = options;
  if (localAddress && !isIP(localAddress)) throw new ERR_INVALID_IP_ADDRESS(localAddress);
  if (localPort) validateNumber(localPort, 'options.localPort');
  if (port !== undefined) {
    if (typeof port !== 'number' && typeof port !== 'string') {
      throw new ERR_INVALID_ARG_TYPE('options.port', ['number', 'string'], port);
    }
    validatePort(port);
  }
  port |= 0;
  if (autoSelectFamily != null) validateBoolean(autoSelectFamily, 'options.autoSelectFamily');
  else autoSelectFamily = getDefaultAutoSelectFamily();
  if (attemptTimeoutMs != null) {
    validateInt32(attemptTimeoutMs, 'options.autoSelectFamilyAttemptTimeout', 1);
    attemptTimeoutMs = Math.max(attemptTimeoutMs, kLeastAttemptMs);
  } else {
    attemptTimeoutMs = getDefaultAutoSelectFamilyAttemptTimeout();
  }
  return { port, localAddress, localPort, autoSelectFamily, attemptTimeoutMs };
}

function familyNumber(family) {
  if (family === 'IPv4') return 4;
  return family === 'IPv6' ? 6 : family;
}

function lookupAndConnect(socket, options) {
  const host = options.host || 'localhost';
  validateStringWithoutNullBytes(host, 'options.host');
  const isBound = Boolean(socket[kBound]);
  if (isBound && (options.localAddress !== undefined || options.localPort !== undefined)) {
    throw new ERR_INVALID_ARG_VALUE('options', options,
      'localAddress and localPort cannot be used with an adopted bound socket');
  }
  const checked = checkOptions(options);
  const { port, localAddress, localPort } = checked;

  if (isIP(host)) {
    if (isBound) {
      // At once: then the local address is known when connect() returns.
      defaultTriggerAsyncIdScope(socket[async_id_symbol], connectTo, socket, { address: host, port });
      return;
    }
    defaultTriggerAsyncIdScope(socket[async_id_symbol], process.nextTick, () => {
      if (!socket.connecting) return;
      defaultTriggerAsyncIdScope(socket[async_id_symbol], connectTo, socket,
        { address: host, port, localAddress, localPort });
    });
    return;
  }
  if (options.lookup != null) validateFunction(options.lookup, 'options.lookup');
  const lookup = options.lookup || require('dns').lookup;
  const dnsOptions = { family: familyNumber(options.family), hints: options.hints || 0 };
  // Only addresses of families that this machine has.
  if (dnsOptions.family !== 4 && dnsOptions.family !== 6 && dnsOptions.hints === 0) {
    dnsOptions.hints = require('dns').ADDRCONFIG;
  }
  socket._host = host;
  defaultTriggerAsyncIdScope(socket[async_id_symbol], () => {
    const wantsAll = checked.autoSelectFamily && !isBound && dnsOptions.family !== 4 &&
      dnsOptions.family !== 6 && !localAddress;
    if (wantsAll) lookupAll(socket, host, lookup, dnsOptions, checked);
    else lookupOne(socket, host, lookup, dnsOptions, checked);
  });
}

function failNT(socket, error) {
  socket.destroy(error);
}

function lookupOne(socket, host, lookup, dnsOptions, { port, localAddress, localPort }) {
  lookup(host, dnsOptions, (error, address, family) => {
    socket.emit('lookup', error, address, family, host);
    // 'lookup' may have destroyed it.
    if (!socket.connecting) return;
    if (error) {
      process.nextTick(failNT, socket, error);
    } else if (typeof address !== 'string' || !isIP(address)) {
      process.nextTick(failNT, socket, new ERR_INVALID_IP_ADDRESS(address));
    } else if (family !== 4 && family !== 6) {
      process.nextTick(failNT, socket, new ERR_INVALID_ADDRESS_FAMILY(family, host, port));
    } else {
      socket._unrefTimer();
      defaultTriggerAsyncIdScope(socket[async_id_symbol], connectTo, socket,
        { address, port, localAddress, localPort });
    }
  });
}

function lookupAll(socket, host, lookup, dnsOptions, checked) {
  const { port } = checked;
  lookup(host, { ...dnsOptions, all: true }, (error, found) => {
    if (!socket.connecting) return;
    if (error) {
      socket.emit('lookup', error, undefined, undefined, host);
      process.nextTick(failNT, socket, error);
      return;
    }
    const usable = [[], []]; // the family of the first address first
    let firstFamily;
    for (let i = 0; i < found.length; i++) {
      const { address, family } = found[i];
      socket.emit('lookup', error, address, family, host);
      if (!socket.connecting) return;
      if (!isIP(address) || (family !== 4 && family !== 6)) continue;
      firstFamily ??= family;
      const list = usable[family === firstFamily ? 0 : 1];
      if (list.indexOf(address) === -1) list[list.length] = address;
    }
    const same = usable[0];
    const other = usable[1];
    if (same.length === 0) {
      const [first] = found;
      process.nextTick(failNT, socket, first === undefined || !isIP(first.address) ?
        new ERR_INVALID_IP_ADDRESS(first?.address) :
        new ERR_INVALID_ADDRESS_FAMILY(first.family, host, port));
      return;
    }
    socket._unrefTimer();
    if (same.length === 1 && other.length === 0) {
      if (isBlocked(socket, same[0])) {
        socket.destroy(new ERR_IP_BLOCKED(same[0]));
        return;
      }
      defaultTriggerAsyncIdScope(socket[async_id_symbol], connectTo, socket,
        { address: same[0], port, localPort: checked.localPort });
      return;
    }
    const addresses = [];
    for (let i = 0; i < Math.max(same.length, other.length); i++) {
      if (i < same.length) addresses.push(same[i]);
      if (i < other.length) addresses.push(other[i]);
    }
    socket.autoSelectFamilyAttemptedAddresses = [];
    defaultTriggerAsyncIdScope(socket[async_id_symbol], tryNext,
      { socket, addresses, checked, current: 0, errors: [] });
  });
}

// ---- Several addresses ----

function tryNext(attempts) {
  const { socket, addresses, checked, errors } = attempts;
  if (!socket.connecting) return;
  if (attempts.current === addresses.length) {
    if (errors.length === 0) socket.destroy(new ERR_SOCKET_CONNECTION_TIMEOUT());
    else socket.destroy(new NodeAggregateError(errors));
    return;
  }
  const index = attempts.current++;
  const address = addresses[index];
  const { port, localPort } = checked;
  if (isBlocked(socket, address)) {
    errors.push(new ERR_IP_BLOCKED(address));
    tryNext(attempts);
    return;
  }
  if (index > 0) {
    // A handle has one life: the next attempt gets another.
    closeHandle(socket._handle);
    socket[kReinitializeHandle](makeHandle());
  }
  const handle = socket._handle;
  const target = { address, port, localPort };
  if (localPort) {
    target.localAddress = isIP(address) === 6 ? '::' : '0.0.0.0';
    const status = handle.bind(target.localAddress, localPort);
    if (status) {
      errors.push(new ExceptionWithHostPort(status, 'bind', undefined, localPort));
      tryNext(attempts);
      return;
    }
  }
  socket.autoSelectFamilyAttemptedAddresses.push(`${address}:${port}`);
  socket.emit('connectionAttempt', address, port, isIP(address));
  const request = new TCPConnectWrap('TCPCONNECTWRAP', handle, { address, port });
  let timer = null;
  let timedOut = false;
  const status = connectHandle(handle, request, target, (result) => {
    clearTimeout(timer);
    if (timedOut) return;
    if (result === 0) {
      if (socket.connecting) afterConnect(socket, handle, target, 0);
      return;
    }
    const error = connectError(target, result);
    errors.push(error);
    socket.emit('connectionAttemptFailed', address, port, isIP(address), error);
    tryNext(attempts);
  });
  if (status) {
    const error = connectError(target, status);
    errors.push(error);
    socket.emit('connectionAttemptFailed', address, port, isIP(address), error);
    tryNext(attempts);
    return;
  }
  others.add(request);
  measure(socket, target);
  // The last one may take as long as it likes.
  if (attempts.current === addresses.length) return;
  timer = setTimeout(() => {
    if (!socket.connecting) return;
    timedOut = true;
    socket.emit('connectionAttemptTimeout', address, port, isIP(address));
    errors.push(connectError(target, ETIMEDOUT));
    tryNext(attempts);
  }, checked.attemptTimeoutMs);
}

module.exports = {
  connect,
  connectOf,
  getDefaultAutoSelectFamily,
  getDefaultAutoSelectFamilyAttemptTimeout,
  makeHandle,
  setDefaultAutoSelectFamily,
  setDefaultAutoSelectFamilyAttemptTimeout,
};
