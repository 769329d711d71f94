'use strict';
// node:cluster in a worker. Servers listen through the primary: it gives them a socket that is bound
// (SharedHandle), or connections one by one (RoundRobinHandle).

const EventEmitter = require('events');
const path = require('path');
const Worker = require('internal/cluster/worker');
const messages = require('internal/cluster/messages');
const { initResource } = require('internal/async_hooks');
const { kOwner } = require('internal/native/stream_handle');

const kFarOff = 2 ** 31 - 1; // ms

const cluster = new EventEmitter();
const handles = new Map(); // key -> handle of a server
const indexes = new Map(); // address -> how many servers there have been, and which are left

cluster.isWorker = true;
cluster.isMaster = false;
cluster.isPrimary = false;
cluster.worker = null;
cluster.Worker = Worker;

function send(message, callback) {
  return messages.send(process, message, null, callback);
}

cluster._setupWorker = function() {
  const worker = new Worker({ id: Number(process.env.NODE_UNIQUE_ID) | 0, process, state: 'online' });
  cluster.worker = worker;
  process.once('disconnect', () => {
    worker.emit('disconnect');
    // The primary is gone: it would not restart us.
    if (!worker.exitedAfterDisconnect) process.exit(0);
  });
  process.on('internalMessage', messages.receive(worker, (message, handle) => {
    if (message.act === 'newconn') onConnection(message, handle);
    else if (message.act === 'disconnect') disconnect(worker, true);
  }));
  send({ act: 'online' });
};

// ---- Servers ----

function takeIndex(key) {
  let entry = indexes.get(key);
  if (entry === undefined) indexes.set(key, entry = { next: 0, open: new Set() });
  const index = entry.next++;
  entry.open.add(index);
  return index;
}

function releaseIndex(key, index) {
  const entry = indexes.get(key);
  if (entry === undefined) return;
  entry.open.delete(index);
  if (entry.open.size === 0) indexes.delete(key);
}

// callback(status, handle)
cluster._getServer = function(server, options, callback) {
  let { address } = options;
  if (options.port < 0 && typeof address === 'string') address = path.resolve(address);
  const indexKey = [address, options.port, options.addressType, options.fd].join(':');
  const index = takeIndex(indexKey);
  const message = { act: 'queryServer', index, data: null, ...options, address };
  if (server._getServerData) message.data = server._getServerData();
  send(message, (reply, native) => {
    if (typeof server._setServerData === 'function') server._setServerData(reply.data);
    const release = () => releaseIndex(indexKey, index);
    if (native) shareHandle(reply, native, options, release, callback);
    else takeConnections(reply, release, callback);
  });
  server.once('listening', () => {
    if (!indexes.has(indexKey)) return; // closed meanwhile
    cluster.worker.state = 'listening';
    const own = server.address();
    send({ ...message, act: 'listening', port: (own?.port) || options.port });
  });
};

function forget(key, release) {
  send({ act: 'close', key });
  handles.delete(key);
  release();
}

// A handle on the socket that came from the primary, or a negative number.
function openShared(native, { addressType, backlog }) {
  const { fd } = native;
  native.fd = -1;
  if (native.type === 'UDP') return require('internal/dgram')._createSocketHandle(null, 0, addressType, fd);
  const { createServerHandle } = require('internal/net/server');
  return createServerHandle(null, null, null, fd, undefined, backlog);
}

// We accept ourselves, as the other workers do.
function shareHandle({ key, errno }, native, options, release, callback) {
  const handle = openShared(native, options);
  if (typeof handle === 'number') {
    callback(handle, null);
    return;
  }
  const { close } = handle;
  handle.close = function() {
    forget(key, release);
    return Reflect.apply(close, handle, arguments);
  };
  handles.set(key, handle);
  callback(errno, handle);
}

// Looks to a server as the handle of a socket does.
function takeConnections({ key, errno, sockname }, release, callback) {
  if (errno) {
    callback(errno, null);
    return;
  }
  let timer = null; // keeps the program running
  let isOpen = true;
  const handle = {
    listen() { return 0; },
    ref() { timer ??= setInterval(() => {}, kFarOff); },
    unref() {
      clearInterval(timer);
      timer = null;
    },
    close(done) {
      if (isOpen) {
        isOpen = false;
        handle.unref();
        forget(key, release);
      }
      if (typeof done === 'function') process.nextTick(done);
    },
  };
  if (sockname) {
    handle.getsockname = (out) => {
      if (isOpen) Object.assign(out, sockname);
      return 0;
    };
  }
  handle.ref();
  initResource(handle, 'TCPSERVERWRAP');
  handles.set(key, handle);
  callback(0, handle);
}

function onConnection({ key, seq }, connection) {
  const handle = handles.get(key);
  const server = handle?.[kOwner];
  const isFull = server?.maxConnections != null && server._connections >= server.maxConnections &&
    !server.dropMaxConnection;
  const accepted = handle !== undefined && !isFull;
  send({ ack: seq, accepted });
  // The peer has gone already: the server sees a connection that ends.
  const { NativeHandle, openConnection } = require('internal/child_process/handles');
  if (!accepted) connection.close();
  else handle.onconnection(0, connection instanceof NativeHandle ? openConnection(connection.fd) : connection);
}

// ---- The end ----

function disconnect(worker, isByPrimary) {
  worker.exitedAfterDisconnect = true;
  let waiting = 1;
  const oneIsDone = () => {
    if (--waiting > 0) return;
    if (isByPrimary) process.disconnect();
    else send({ act: 'exitedAfterDisconnect' }, () => process.disconnect());
  };
  for (const handle of handles.values()) {
    waiting++;
    if (handle[kOwner]) handle[kOwner].close(oneIsDone);
    else handle.close(oneIsDone);
  }
  handles.clear();
  oneIsDone();
}

Worker.prototype.disconnect = function() {
  if (this.state !== 'disconnecting' && this.state !== 'destroying') {
    this.state = 'disconnecting';
    disconnect(this, false);
  }
  return this;
};

Worker.prototype.destroy = function() {
  if (this.state === 'destroying') return;
  this.exitedAfterDisconnect = true;
  if (!this.isConnected()) {
    process.exit(0);
  } else {
    this.state = 'destroying';
    send({ act: 'exitedAfterDisconnect' }, () => process.disconnect());
    process.once('disconnect', () => process.exit(0));
  }
};

module.exports = cluster;
