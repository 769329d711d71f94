'use strict';
// net.BoundSocket: a socket that has its local address before it is known whether it will listen or connect.

const {
  ErrnoException, ExceptionWithHostPort,
  codes: { ERR_INVALID_ARG_VALUE, ERR_SOCKET_HANDLE_ADOPTED },
} = require('internal/errors');
const { isIP } = require('internal/net/address');
const { pipePaths } = require('internal/native/open_handles');
const { closeHandle, initHandle } = require('internal/native/stream_handle');
const { validateBoolean, validateObject, validatePort, validateString } = require('internal/validators');

const kEmpty = Symbol('kEmpty'); // instead of options: for one that comes from another thread
const EACCES = -13;
const ENOENT = -2;

function bindAddress(options) {
  const port = validatePort(options.port ?? 0, 'options.port');
  const ipv6Only = options.ipv6Only ?? false;
  validateBoolean(ipv6Only, 'options.ipv6Only');
  const reusePort = options.reusePort ?? false;
  validateBoolean(reusePort, 'options.reusePort');
  const host = options.host ?? (ipv6Only ? '::' : '0.0.0.0');
  validateString(host, 'options.host');
  if (!isIP(host)) {
    throw new ERR_INVALID_ARG_VALUE('options.host', host,
      'must be a numeric IP address; net.BoundSocket does not perform DNS resolution');
  }
  const handle = initHandle(new (binding('tcp').TCP)(), 'TCPWRAP');
  const status = handle.reserve(host, port, ipv6Only, reusePort);
  if (status === 0) return handle;
  closeHandle(handle);
  throw new ExceptionWithHostPort(status, 'bind', host, port);
}

function bindPath(options) {
  const { path, host, port, ipv6Only, reusePort } = options;
  if (host !== undefined || port !== undefined || ipv6Only !== undefined || reusePort !== undefined) {
    throw new ERR_INVALID_ARG_VALUE('options', options,
      'path is mutually exclusive with host, port, ipv6Only, and reusePort');
  }
  validateString(path, 'options.path');
  const handle = initHandle(new (binding('pipe').Pipe)(), 'PIPEWRAP');
  pipePaths.set(handle, path);
  const status = handle.reserve(path);
  if (status === 0) return handle;
  closeHandle(handle);
  // To Node a folder that is missing is one that is closed to us.
  throw new ErrnoException(status === ENOENT ? EACCES : status, 'bind');
}

class BoundSocket {
  #handle; // null: it belongs to a server or socket, or is closed
  #address = {};
  #path;

  constructor(options = {}) {
    if (options === kEmpty) return;
    validateObject(options, 'options');
    if (options.path === undefined) {
      this.#handle = bindAddress(options);
      this.#handle.getsockname(this.#address);
    } else {
      this.#handle = bindPath(options);
      this.#path = options.path;
    }
  }

  #held() {
    if (this.#handle === null) throw new ERR_SOCKET_HANDLE_ADOPTED();
    return this.#handle;
  }

  address() {
    this.#held();
    return this.#path ?? this.#address;
  }

  get isPipe() {
    return this.#path !== undefined;
  }

  fd() {
    return this.#held().fd;
  }

  close() {
    closeHandle(this.#held());
    this.#handle = null;
  }

  [Symbol.dispose]() {
    if (this.#handle !== null) this.close();
  }

  // The handle, and the path or undefined: the caller has to close it.
  static adopt(bound) {
    const handle = bound.#held();
    bound.#handle = null;
    return { handle, path: bound.#path };
  }

  // What transfer.js needs: a handle of TCP that was not given away, or undefined.
  static transferable(bound) {
    return bound.#path === undefined ? bound.#handle ?? undefined : undefined;
  }

  static restore(bound, handle) {
    bound.#handle = handle;
    handle.getsockname(bound.#address);
  }

  static is(value) {
    return value !== null && typeof value === 'object' && #handle in value;
  }
}

// For lib/ only.
const { adopt, is: isBoundSocket, restore, transferable } = BoundSocket;
delete BoundSocket.adopt;
delete BoundSocket.is;
delete BoundSocket.restore;
delete BoundSocket.transferable;

module.exports = { BoundSocket, adopt, isBoundSocket, kEmpty, restore, transferable };
