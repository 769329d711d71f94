'use strict';
// What keeps the program alive, in the words of its author.
//
// `isBrief`: without what differs from one to the next of those that one line makes: when a timer is due,
// the port of a connection that the system has chosen, numbers of processes.

const { describeOperation, kTypesOfClasses, printable, rounded } = require('internal/lens/descriptions');
const { openHandles, pipePaths } = require('internal/native/open_handles');

function duration(ms) {
  if (ms < 10_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`;
  return `${Math.round(ms / 60_000)} min`;
}

function place(address, port) {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

// What getsockname() or getpeername() of a handle says.
function endOf(handle, method) {
  const name = {};
  if (handle[method]?.(name) || name.address === undefined) return undefined;
  return place(name.address, name.port);
}

function describeServer(handle) {
  const where = pipePaths.get(handle) ?? endOf(handle, 'getsockname');
  return where === undefined ? 'server' : `server listening on ${where}`;
}

function standardStream(handle, kind) {
  if (handle.fd === 0) return `standard input (${kind})`;
  if (handle.fd === 1) return `standard output (${kind})`;
  return handle.fd === 2 ? `standard error (${kind})` : undefined;
}

function describeEnds(handle, socket, isBrief) {
  const local = endOf(handle, 'getsockname');
  const remote = endOf(handle, 'getpeername');
  if (local !== undefined && remote !== undefined) {
    if (!isBrief) return `socket ${local} -> ${remote}`;
    return socket?._server ? `socket at ${local}` : `socket -> ${remote}`;
  }
  const path = pipePaths.get(handle);
  if (path !== undefined) return socket?._server ? `socket at ${path}` : `socket -> ${path}`;
  return standardStream(handle, 'pipe') ?? describeStreamOfChild(socket, isBrief) ?? 'pipe';
}

const kStreamNames = ['standard input', 'standard output', 'standard error'];

// A pipe to a child process that still runs.
function describeStreamOfChild(socket, isBrief) {
  for (const { handle, name, owner } of openHandles()) {
    if (name !== 'ProcessWrap') continue;
    const child = owner(handle);
    const number = child.stdio?.indexOf(socket) ?? -1;
    if (number < 0) continue;
    const stream = kStreamNames[number] ?? `descriptor ${number}`;
    return isBrief ? `${stream} of a child process` : `${stream} of child process ${child.pid}`;
  }
  return undefined;
}

function describeSocket(handle, socket, isBrief) {
  if (socket?.connecting) {
    const request = require('internal/net/connect').connectOf(handle);
    const where = request === undefined ? socket._host : request.port === undefined ? request.address :
      place(request.address, request.port);
    return where ? `socket, connecting to ${where}` : 'socket, connecting';
  }
  const ends = describeEnds(handle, socket, isBrief);
  const doings = [];
  if (handle.reading) doings.push('waiting for data');
  if (ends.startsWith('socket') && socket?.writableFinished) doings.push('has ended its own');
  if (handle.pendingWrite !== undefined) doings.push('writing');
  return [ends, ...doings].join(', ');
}

function describeChild(child, isBrief) {
  const command = [child.spawnfile, ...child.spawnargs.slice(1)].join(' ');
  return isBrief ? `child process (${command})` : `child process ${child.pid} (${command})`;
}

function describeTerminal(handle) {
  return standardStream(handle, 'terminal') ?? 'terminal';
}

// Of an entry of internal/native/open_handles.
function describeOpenHandle(entry, isBrief) {
  return printable(describeHandle(entry, isBrief));
}

function describeHandle({ handle, name, owner }, isBrief) {
  const object = owner(handle);
  switch (name) {
    case 'ProcessWrap': return describeChild(object, isBrief);
    case 'TTYWrap': return describeTerminal(handle);
    case 'TCPServerWrap': return describeServer(handle);
    default:
      return isServer(object) ? describeServer(handle) : describeSocket(handle, object, isBrief);
  }
}

function isServer(object) {
  return object?._listeningId !== undefined;
}

function describeTimer({ _idleTimeout, _repeat }, left, isBrief) {
  const name = _repeat ? `setInterval ${rounded(_repeat)} ms` : `setTimeout ${rounded(_idleTimeout)} ms`;
  return isBrief ? name : `${name}, ${_repeat ? 'next' : 'due'} in ${duration(left)}`;
}

function describePort() {
  return 'message port';
}

function describeRequest(request) {
  const { name } = request.constructor;
  const type = kTypesOfClasses[name];
  return type === undefined ? name : describeOperation(type, request);
}

module.exports = {
  describeOpenHandle, describePort, describeRequest, describeTimer, duration, isServer,
};
