'use strict';
// node:cluster in the primary.

const EventEmitter = require('events');
const path = require('path');
const { fork } = require('child_process');
const { codes: { ERR_SOCKET_BAD_PORT } } = require('internal/errors');
const { RoundRobinHandle, SharedHandle } = require('internal/cluster/listeners');
const Worker = require('internal/cluster/worker');
const messages = require('internal/cluster/messages');
const assert = require('internal/assert');
const { isInspected, nextPort } = require('internal/inspector/ports');

const SCHED_NONE = 1; // the kernel chooses the worker that accepts
const SCHED_RR = 2; // we do

const cluster = new EventEmitter();
const intercom = new EventEmitter(); // 'disconnect': the last worker is gone
const handles = new Map(); // key of an address -> what listens there

cluster.isWorker = false;
cluster.isMaster = true;
cluster.isPrimary = true;
cluster.Worker = Worker;
cluster.workers = {};
cluster.settings = {};
cluster.SCHED_NONE = SCHED_NONE;
cluster.SCHED_RR = SCHED_RR;
cluster.schedulingPolicy = process.env.NODE_CLUSTER_SCHED_POLICY === 'none' ? SCHED_NONE : SCHED_RR;

let schedulingPolicy; // fixed by the first setupPrimary()
let lastId = 0;

// ---- Making workers ----

cluster.setupPrimary = function(options) {
  const settings = {
    args: process.argv.slice(2),
    exec: process.argv[1],
    execArgv: process.execArgv,
    silent: false,
    ...cluster.settings,
    ...options,
  };
  cluster.settings = settings;
  if (schedulingPolicy === undefined) {
    schedulingPolicy = cluster.schedulingPolicy;
    assert(schedulingPolicy === SCHED_NONE || schedulingPolicy === SCHED_RR,
      `Bad cluster.schedulingPolicy: ${schedulingPolicy}`);
  }
  process.nextTick(() => cluster.emit('setup', settings));
  if (!passesOnDebugging) {
    passesOnDebugging = true;
    process.on('internalMessage', passOnDebugging);
  }
};

// SIGUSR1, or inspector.open(), is for the workers as well.
let passesOnDebugging = false;

function passOnDebugging({ cmd }) {
  if (cmd !== 'NODE_DEBUG_ENABLED') return;
  for (const worker of Object.values(cluster.workers)) {
    if (worker.state === 'online' || worker.state === 'listening') process._debugProcess(worker.process.pid);
    else worker.once('online', function() { process._debugProcess(this.process.pid); });
  }
}

cluster.setupMaster = cluster.setupPrimary;

// Each worker listens for debuggers at a port of its own, if this process does.
function withDebugPort({ execArgv, inspectPort }) {
  return isInspected(execArgv) ? [...execArgv, `--inspect-port=${nextPort(inspectPort)}`] : [...execArgv];
}

function startProcess(id, env) {
  const { settings } = cluster;
  if (settings.inspectPort === null) throw new ERR_SOCKET_BAD_PORT('Port', null, true);
  return fork(settings.exec, settings.args, {
    cwd: settings.cwd,
    env: { ...process.env, ...env, NODE_UNIQUE_ID: `${id}` },
    serialization: settings.serialization,
    silent: settings.silent,
    windowsHide: settings.windowsHide,
    execArgv: withDebugPort(settings),
    stdio: settings.stdio,
    gid: settings.gid,
    uid: settings.uid,
  });
}

function removeWorker(worker) {
  delete cluster.workers[worker.id];
  if (Object.keys(cluster.workers).length > 0) return;
  assert(handles.size === 0, 'Resource leak detected.');
  intercom.emit('disconnect');
}

function removeHandles(worker) {
  for (const [key, handle] of handles) {
    if (handle.remove(worker)) handles.delete(key);
  }
}

cluster.fork = function(env) {
  cluster.setupPrimary();
  const id = ++lastId;
  const worker = new Worker({ id, process: startProcess(id, env) });
  worker.on('message', function(message, handle) {
    cluster.emit('message', this, message, handle);
  });
  worker.process.once('exit', (code, signal) => onExit(worker, code, signal));
  worker.process.once('disconnect', () => onDisconnect(worker));
  worker.process.on('internalMessage', messages.receive(worker, onMessage));
  process.nextTick(() => cluster.emit('fork', worker));
  cluster.workers[id] = worker;
  return worker;
};

// A worker is removed when it is dead and disconnected, whichever comes last.
function onExit(worker, code, signal) {
  if (!worker.isConnected()) {
    removeHandles(worker);
    removeWorker(worker);
  }
  worker.exitedAfterDisconnect = Boolean(worker.exitedAfterDisconnect);
  worker.state = 'dead';
  worker.emit('exit', code, signal);
  cluster.emit('exit', worker, code, signal);
}

function onDisconnect(worker) {
  removeHandles(worker);
  if (worker.isDead()) removeWorker(worker);
  worker.exitedAfterDisconnect = Boolean(worker.exitedAfterDisconnect);
  worker.state = 'disconnected';
  worker.emit('disconnect');
  cluster.emit('disconnect', worker);
}

cluster.disconnect = function(callback) {
  const workers = Object.values(cluster.workers);
  if (workers.length === 0) process.nextTick(() => intercom.emit('disconnect'));
  for (const worker of workers) {
    if (worker.isConnected()) worker.disconnect();
  }
  if (typeof callback === 'function') intercom.once('disconnect', callback);
};

Worker.prototype.disconnect = function() {
  this.exitedAfterDisconnect = true;
  send(this, { act: 'disconnect' });
  removeHandles(this);
  removeWorker(this);
  return this;
};

Worker.prototype.destroy = function(signal) {
  this.process.kill(signal || 'SIGTERM');
};

// ---- What workers ask for ----

function send(worker, message, handle, callback) {
  return messages.send(worker.process, message, handle, callback, () => {});
}

const acts = {
  __proto__: null,

  online(worker) {
    worker.state = 'online';
    worker.emit('online');
    cluster.emit('online', worker);
  },

  listening(worker, { addressType, address, port, fd }) {
    const info = { addressType, address, port, fd };
    worker.state = 'listening';
    worker.emit('listening', info);
    cluster.emit('listening', worker, info);
  },

  exitedAfterDisconnect(worker, { seq }) {
    worker.exitedAfterDisconnect = true;
    send(worker, { ack: seq });
  },

  close(worker, { key }) {
    if (handles.get(key)?.remove(worker)) handles.delete(key);
  },

  queryServer(worker, message) {
    if (!worker.exitedAfterDisconnect) queryServer(worker, message);
  },
};

function onMessage(message) {
  acts[message.act]?.(this, message);
}

// The path of a socket as short as can be: there is a limit to its length.
function shortPath({ address, port }) {
  if (!(port < 0) || typeof address !== 'string') return address;
  const relative = path.relative(process.cwd(), address);
  return relative.length <= address.length ? relative : address;
}

function makeHandle(key, message) {
  const isUdp = message.addressType === 'udp4' || message.addressType === 'udp6';
  const Handle = schedulingPolicy !== SCHED_RR || isUdp ? SharedHandle : RoundRobinHandle;
  return new Handle(key, shortPath(message), message);
}

function queryServer(worker, message) {
  const { address, port, addressType, fd, index, seq } = message;
  // Each server that asks for any port has one of its own; the servers of different workers that are
  // made in the same order share it.
  const key = `${address}:${port}:${addressType}:${fd}${port === 0 ? `:${index}` : ''}`;
  const known = handles.get(key);
  const handle = known !== undefined && !known.has(worker) ? known : makeHandle(key, message);
  if (known === undefined) handles.set(key, handle);
  handle.data ||= message.data;
  handle.add(worker, (errno, reply, serverHandle) => {
    if (!errno) handles.set(key, handle);
    const { data } = handles.get(key);
    if (known === undefined && errno) handles.delete(key);
    send(worker, { errno, key, ack: seq, data, ...reply }, serverHandle);
  });
}

module.exports = cluster;
