'use strict';
// node:net.

const { isIP, isIPv4, isIPv6 } = require('internal/net/address');
const { BlockList } = require('internal/net/block_list');
const { BoundSocket } = require('internal/net/bound_socket');
const {
  getDefaultAutoSelectFamily, getDefaultAutoSelectFamilyAttemptTimeout, setDefaultAutoSelectFamily,
  setDefaultAutoSelectFamilyAttemptTimeout,
} = require('internal/net/connect');
const { normalizeArgs } = require('internal/net/normalize');
const { Server, createServerHandle } = require('internal/net/server');
const { Socket } = require('internal/net/socket');
const { SocketAddress } = require('internal/net/socket_address');

function connect(...args) {
  const normalized = normalizeArgs(args);
  const options = normalized[0];
  const socket = new Socket(options);
  if (options.timeout) socket.setTimeout(options.timeout);
  return socket.connect(normalized);
}

function createServer(options, connectionListener) {
  return new Server(options, connectionListener);
}

require('internal/net/transfer').makeTransferable(Socket, Server);

module.exports = {
  _createServerHandle: createServerHandle,
  _normalizeArgs: normalizeArgs,
  BlockList,
  SocketAddress,
  BoundSocket,
  connect,
  createConnection: connect,
  createServer,
  isIP,
  isIPv4,
  isIPv6,
  Server,
  Socket,
  Stream: Socket, // its old name
  getDefaultAutoSelectFamily,
  setDefaultAutoSelectFamily,
  getDefaultAutoSelectFamilyAttemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout,
};
