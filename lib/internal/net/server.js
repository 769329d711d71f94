'use strict';
// net.Server.

const {
  ErrnoException, ExceptionWithHostPort, UVExceptionWithHostPort,
  codes: {
    ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_SERVER_ALREADY_LISTEN, ERR_SERVER_NOT_RUNNING,
  },
} = require('internal/errors');
const {
  async_id_symbol, defaultTriggerAsyncIdScope, emitAfter, emitBefore, noteKeeper,
  trigger_async_id_symbol,
} = require('internal/async_hooks');
const { activeChannels, activeTracing } = require('internal/trace/active_channels');
const { closeHandle, initHandle, kOwner } = require('internal/native/stream_handle');
const { makeHandle } = require('internal/net/connect');
const { hasDescriptor, pipePaths } = require('internal/native/open_handles');
const clusterRole = require('internal/cluster/role');
const { isBlockList } = require('internal/net/block_list');
const { adopt, isBoundSocket } = require('internal/net/bound_socket');
const { isPath, normalizeArgs } = require('internal/net/normalize');
const {
  Socket, kSetKeepAlive, kSetKeepAliveInitialDelay, kSetNoDelay,
} = require('internal/net/socket');
const { check: checkPermission } = require('internal/process/permission');
const { validateAbortSignal, validateNumber, validatePort } = require('internal/validators');
const EventEmitter = require('events');
const { getDefaultHighWaterMark } = require('stream');

const kBacklog = 511;

function Server(options, connectionListener) {
  if (!(this instanceof Server)) return new Server(options, connectionListener);
  Reflect.apply(EventEmitter, this, []);

  if (typeof options === 'function') {
    connectionListener = options;
    options = {};
    this.on('connection', connectionListener);
  } else if (options == null || typeof options === 'object') {
    options = { ...options };
    if (typeof connectionListener === 'function') this.on('connection', connectionListener);
  } else {
    throw new ERR_INVALID_ARG_TYPE('options', 'Object', options);
  }
  if (options.keepAliveInitialDelay !== undefined) {
    validateNumber(options.keepAliveInitialDelay, 'options.keepAliveInitialDelay');
    if (options.keepAliveInitialDelay < 0) options.keepAliveInitialDelay = 0;
  }
  if (options.highWaterMark !== undefined) {
    validateNumber(options.highWaterMark, 'options.highWaterMark');
    if (options.highWaterMark < 0) options.highWaterMark = getDefaultHighWaterMark();
  }

  if (options.blockList && !isBlockList(options.blockList)) {
    throw new ERR_INVALID_ARG_TYPE('options.blockList', 'net.BlockList', options.blockList);
  }

  this._connections = 0;
  this[async_id_symbol] = -1;
  this._handle = null;
  this._usingWorkers = false;
  this._workers = [];
  this._unref = false;
  this._listeningId = 1;

  this.allowHalfOpen = options.allowHalfOpen || false;
  this.pauseOnConnect = Boolean(options.pauseOnConnect);
  this.noDelay = Boolean(options.noDelay);
  this.keepAlive = Boolean(options.keepAlive);
  this.keepAliveInitialDelay = Math.trunc(options.keepAliveInitialDelay / 1000) || 0;
  this.highWaterMark = options.highWaterMark ?? getDefaultHighWaterMark();
  if (options.blockList) this.blockList = options.blockList;
}
Object.setPrototypeOf(Server.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Server, EventEmitter);

// ---- Listening ----

function makeServerHandle(isPipe, path) {
  if (!isPipe) return initHandle(new (binding('tcp').TCP)(), 'TCPSERVERWRAP');
  const handle = new (binding('pipe').Pipe)();
  pipePaths.set(handle, path);
  return initHandle(handle, 'PIPESERVERWRAP');
}

// Listens on a descriptor that is already bound. Returns the handle, or a negative error number.
function listenOnDescriptor(fd, backlog) {
  const { guessHandleType } = require('internal/native/guess_handle_type');
  const isDescriptor = Number.isInteger(fd) && fd <= kMostDescriptor;
  const type = isDescriptor ? guessHandleType(fd) : 'INVALID';
  if (type !== 'PIPE' && type !== 'TCP') return EINVAL;
  if (hasDescriptor(fd)) return EEXIST;
  const handle = makeServerHandle(type === 'PIPE', '');
  const status = handle.listenOn(fd, backlog);
  return status ? discard(handle, status) : handle;
}

// A handle that came to nothing.
function discard(handle, status) {
  closeHandle(handle);
  return status;
}

const kMostDescriptor = 2 ** 31 - 1;

// Flags of listen().
const kIpv6Only = 1;
const kReusePort = 2;

const EACCES = -13;
const EADDRINUSE = -98;
const EEXIST = -17;
const EINVAL = -22;
const ENOENT = -2;

// A handle that listens, or a negative number.
function createServerHandle(address, port, addressType, fd, flags, backlog = kBacklog) {
  if (typeof fd === 'number' && fd >= 0) return listenOnDescriptor(fd, backlog);
  const isPipe = port === -1 && addressType === -1;
  checkPermission('net', isPipe ? address : '');
  const listenOn = (host) => {
    const handle = makeServerHandle(isPipe, host);
    const status = isPipe ? handle.listen(host, backlog) :
      handle.listen(host, port, backlog, Boolean(flags & kIpv6Only), Boolean(flags & kReusePort));
    // To Node a folder that is missing is one that is closed to us.
    return status ? discard(handle, isPipe && status === ENOENT ? EACCES : status) : handle;
  };
  if (address || isPipe) return listenOn(address);
  // All interfaces, of both families where there are both.
  const both = listenOn('::');
  return typeof both === 'number' && both !== EADDRINUSE ? listenOn('0.0.0.0') : both;
}

function emitErrorNT(server, error) {
  server.emit('error', error);
}

function emitListeningNT(server) {
  // It may have been closed meanwhile.
  if (server._handle) server.emit('listening');
}

function emitCloseNT(server) {
  server.emit('close');
}

Server.prototype._listen2 = function setupListenHandle(address, port, addressType, backlog, fd, flags) {
  if (!this._handle) {
    const result = createServerHandle(address, port, addressType, fd, flags, backlog);
    if (typeof result === 'number') {
      const isAny = !address && port !== null && port >= 0;
      const error = new UVExceptionWithHostPort(result, 'listen', isAny ? '::' : address, port);
      activeTracing('net.server.listen')?.error.publish({ server: this, error });
      defaultTriggerAsyncIdScope(undefined, process.nextTick, emitErrorNT, this, error);
      return;
    }
    this._handle = result;
    if (!address && port !== null && port >= 0) {
      address = '::';
      addressType = 6;
    }
  }
  activeTracing('net.server.listen')?.asyncEnd.publish({ server: this });
  this._connectionKey = `${addressType}:${address}:${port}`;
  this[async_id_symbol] = this._handle.getAsyncId?.() ?? -1;
  this._handle.onaccept = onaccept;
  this._handle.onconnection = onconnection;
  this._handle[kOwner] = this;
  if (this._unref) this.unref();
  defaultTriggerAsyncIdScope(this[async_id_symbol], process.nextTick, emitListeningNT, this);
};

// In a worker of node:cluster the primary listens, unless the server is to be the worker's own.
function listen(server, { address, port, addressType, backlog, fd, flags, exclusive, ...options }) {
  const cluster = clusterRole.child;
  if (cluster === undefined || exclusive) {
    server._listen2(address, port, addressType, backlog, fd, flags);
    return;
  }
  const listeningId = server._listeningId;
  const query = { address, port, addressType, fd, flags, backlog, ...options };
  cluster._getServer(server, query, (status, handle) => {
    if (listeningId !== server._listeningId) {
      handle?.close();
      return;
    }
    status = bindStatus(status, port, handle);
    if (status) {
      server.emit('error', new ExceptionWithHostPort(status, 'bind', address, port));
      return;
    }
    server._handle = handle;
    server._listen2(address, port, addressType, backlog, fd, flags);
  });
}

// The primary may have been given another port than was asked for.
function bindStatus(status, port, handle) {
  if (status || !(port > 0) || !handle?.getsockname) return status;
  const out = {};
  status = handle.getsockname(out);
  return status === 0 && out.port !== port ? EADDRINUSE : status;
}

function toNumber(value) {
  value = Number(value);
  return value >= 0 ? value : false;
}

Server.prototype.listen = function(...args) {
  const normalized = normalizeArgs(args);
  let options = normalized[0];
  const callback = normalized[1];
  if (this._handle) throw new ERR_SERVER_ALREADY_LISTEN();
  noteKeeper(this);
  activeTracing('net.server.listen')?.asyncStart.publish({ server: this, options });
  if (callback !== null) this.once('listening', callback);

  const backlogFromArgs = toNumber(args.length > 1 && args[1]) || toNumber(args.length > 2 && args[2]);
  // An earlier call that still waits, for a name or for the primary of a cluster, does not count.
  this._listeningId++;
  const bound = isBoundSocket(options) ? options : options.handle;
  if (isBoundSocket(bound)) {
    listenOnBound(this, bound, backlogFromArgs || kBacklog);
    return this;
  }
  options = options._handle || options.handle || options;
  const flags = (options.ipv6Only === true ? kIpv6Only : 0) | (options.reusePort ? kReusePort : 0);

  // A server, a socket, or something else with a handle.
  if (options instanceof Server || typeof options.listen === 'function' && options.onconnection !== undefined) {
    this._handle = options._handle ?? options;
    this[async_id_symbol] = this._handle.getAsyncId?.() ?? -1;
    this._listen2(null, -1, -1, backlogFromArgs || kBacklog);
    return this;
  }
  addAbortSignal(this, options);
  if (typeof options.fd === 'number' && options.fd >= 0) {
    listen(this, {
      address: null, port: null, addressType: null, backlog: backlogFromArgs || kBacklog, fd: options.fd,
    });
    return this;
  }

  // listen() and listen(callback): any port.
  if (args.length === 0 || typeof args[0] === 'function' ||
      (options.port === undefined && 'port' in options) || options.port === null) {
    options.port = 0;
  }
  if (typeof options.port === 'number' || typeof options.port === 'string') {
    validatePort(options.port, 'options.port');
    const backlog = options.backlog || backlogFromArgs || kBacklog;
    // Where the kernel shares a port out, a worker of node:cluster has a socket of its own.
    const exclusive = options.exclusive || Boolean(flags & kReusePort);
    if (options.host) {
      lookupAndListen(this, options.port | 0, options.host, backlog, flags, exclusive);
    } else {
      listen(this, { address: null, port: options.port | 0, addressType: 4, backlog, flags, exclusive });
    }
    return this;
  }

  if (options.path && isPath(options.path)) {
    const backlog = options.backlog || backlogFromArgs || kBacklog;
    const { readableAll, writableAll } = options;
    if (options.path[0] === '\0' && (readableAll || writableAll)) {
      throw new ERR_INVALID_ARG_VALUE('options', options,
        'can not set readableAll or writableAllt to true when path is abstract unix socket');
    }
    this._pipeName = options.path;
    listen(this, {
      address: options.path,
      port: -1,
      addressType: -1,
      backlog,
      exclusive: options.exclusive,
      readableAll,
      writableAll,
    });
    if (this._handle) makePathAccessible(options);
    return this;
  }
  if (!(('port' in options) || ('path' in options))) {
    throw new ERR_INVALID_ARG_VALUE('options', options, 'must have the property "port" or "path"');
  }
  throw new ERR_INVALID_ARG_VALUE('options', options);
};

function listenOnBound(server, bound, backlog) {
  const { handle, path } = adopt(bound);
  const status = handle.listenBound(backlog);
  if (status) {
    closeHandle(handle);
    const error = new UVExceptionWithHostPort(status, 'listen', null, -1);
    activeTracing('net.server.listen')?.error.publish({ server, error });
    defaultTriggerAsyncIdScope(undefined, process.nextTick, emitErrorNT, server, error);
    return;
  }
  if (path !== undefined) server._pipeName = path;
  server._handle = handle;
  server._listen2(null, -1, -1, backlog);
}

// options.readableAll and options.writableAll: whether other users may connect.
function makePathAccessible({ path, readableAll, writableAll }) {
  if (!readableAll && !writableAll) return;
  const mode = 0o600 | (readableAll ? 0o044 : 0) | (writableAll ? 0o022 : 0);
  require('fs').chmodSync(path, mode | (readableAll ? 0o400 : 0));
}

function addAbortSignal(server, { signal }) {
  if (signal === undefined) return;
  validateAbortSignal(signal, 'options.signal');
  const onAborted = () => server.close();
  if (signal.aborted) {
    process.nextTick(onAborted);
    return;
  }
  const disposable = require('events').addAbortListener(signal, onAborted);
  server.once('close', () => disposable[Symbol.dispose]());
}

function lookupAndListen(server, port, host, backlog, flags, exclusive) {
  const listeningId = server._listeningId;
  require('dns').lookup(host, { all: true }, (error, found) => {
    // It may have been closed, or asked to listen elsewhere, meanwhile.
    if (listeningId !== server._listeningId) return;
    if (error) {
      server.emit('error', error);
      return;
    }
    // A link-local address says nothing without an interface: any other one is better.
    const { address, family } = found.find((each) => !isLinkLocal(each.address)) ?? found[0];
    listen(server, { address, port, addressType: address ? family : 4, backlog, flags, exclusive });
  });
}

function isLinkLocal(address) {
  return /^fe[89ab][0-9a-f]:/i.test(address);
}

Object.defineProperty(Server.prototype, 'listening', {
  __proto__: null,
  get() { return Boolean(this._handle); },
  configurable: true,
  enumerable: true,
});

Server.prototype.address = function() {
  if (this._handle?.getsockname) {
    const out = {};
    const status = this._handle.getsockname(out);
    if (status) throw new ErrnoException(status, 'address');
    return out;
  }
  return this._pipeName ?? null;
};

// ---- Connections ----

// C++ has a connection for us.
function onaccept() {
  const asyncId = this[async_id_symbol];
  // The connection is made for the server, but not by it: it inherits nothing of its context.
  const client = defaultTriggerAsyncIdScope(asyncId, makeHandle, pipePaths.get(this));
  this.accept(client);
  emitBefore(asyncId, this[trigger_async_id_symbol], this, 'connection');
  this.onconnection(0, client);
  emitAfter(asyncId);
}

function onconnection(status, client) {
  const server = this[kOwner];
  if (status) {
    // The server continues by itself: without a listener this must not end the program.
    if (server.listenerCount('error') > 0) server.emit('error', new ErrnoException(status, 'accept'));
    return;
  }

  if (server.blockList && isBlocked(server.blockList, client)) {
    closeHandle(client);
    return;
  }
  if (server.maxConnections != null && server._connections >= server.maxConnections) {
    drop(server, client);
    return;
  }
  const socket = new Socket({
    handle: client,
    allowHalfOpen: server.allowHalfOpen,
    pauseOnCreate: server.pauseOnConnect,
    readable: true,
    writable: true,
    readableHighWaterMark: server.highWaterMark,
    writableHighWaterMark: server.highWaterMark,
  });
  if (server.noDelay && client.setNoDelay) {
    socket[kSetNoDelay] = true;
    client.setNoDelay(true);
  }
  if (server.keepAlive && client.setKeepAlive) {
    socket[kSetKeepAlive] = true;
    socket[kSetKeepAliveInitialDelay] = server.keepAliveInitialDelay;
    client.setKeepAlive(true, server.keepAliveInitialDelay);
  }
  server._connections++;
  socket.server = server;
  socket._server = server;
  server.emit('connection', socket);
  if (activeChannels.size !== 0) activeChannels.get('net.server.socket')?.publish({ socket });
}

function isBlocked(blockList, client) {
  const remote = {};
  if (!client.getpeername || client.getpeername(remote) !== 0) return false;
  return blockList.check(remote.address, remote.family);
}

// One too many.
function drop(server, client) {
  if (!client.getsockname) {
    closeHandle(client);
    server.emit('drop');
    return;
  }
  const local = {};
  const remote = {};
  client.getsockname(local);
  client.getpeername(remote);
  closeHandle(client);
  server.emit('drop', {
    localAddress: local.address,
    localPort: local.port,
    localFamily: local.family,
    remoteAddress: remote.address,
    remotePort: remote.port,
    remoteFamily: remote.family,
  });
}

// With those that were given to other processes.
Server.prototype.getConnections = function(callback) {
  const done = (error, count) => {
    defaultTriggerAsyncIdScope(this[async_id_symbol], process.nextTick, callback, error, count);
  };
  if (!this._usingWorkers) {
    done(null, this._connections);
    return this;
  }
  let left = this._workers.length;
  let total = this._connections;
  for (const worker of this._workers) {
    worker.getConnections((error, count) => {
      if (left < 0) return;
      total += count;
      if (error) left = -1;
      else left--;
      if (left <= 0) done(error, error ? undefined : total);
    });
  }
  return this;
};

// ---- Ending ----

Server.prototype.close = function(callback) {
  this._listeningId++;
  if (typeof callback === 'function') {
    if (!this._handle) this.once('close', () => callback(new ERR_SERVER_NOT_RUNNING()));
    else this.once('close', callback);
  }
  if (this._handle) {
    closeHandle(this._handle);
    this._handle = null;
  }
  if (this._usingWorkers) closeInWorkers(this);
  else this._emitCloseIfDrained();
  return this;
};

// Waits for the sockets that other processes have.
function closeInWorkers(server) {
  let left = server._workers.length;
  // Ours may all be closed before theirs: 'close' is emitted once.
  server._connections++;
  for (const worker of server._workers) {
    worker.close(() => {
      if (--left !== 0) return;
      server._connections = 0;
      server._emitCloseIfDrained();
    });
  }
}

Server.prototype[Symbol.asyncDispose] = async function() {
  if (!this._handle) return;
  await new Promise((resolve, reject) => {
    this.close((error) => (error ? reject(error) : resolve()));
  });
};

Server.prototype._emitCloseIfDrained = function() {
  if (this._handle || this._connections) return;
  defaultTriggerAsyncIdScope(this[async_id_symbol], process.nextTick, emitCloseNT, this);
};

// A listener for 'connection' that is asynchronous has failed: its socket goes.
Server.prototype[EventEmitter.captureRejectionSymbol] = function(error, event, socket) {
  if (event === 'connection') socket.destroy(error);
  else this.emit('error', error);
};

Server.prototype._setupWorker = function(socketList) {
  this._usingWorkers = true;
  this._workers.push(socketList);
  socketList.once('exit', () => this._workers.splice(this._workers.indexOf(socketList), 1));
};

Server.prototype.ref = function() {
  this._unref = false;
  this._handle?.ref();
  return this;
};

Server.prototype.unref = function() {
  this._unref = true;
  this._handle?.unref();
  return this;
};

module.exports = { Server, createServerHandle };
