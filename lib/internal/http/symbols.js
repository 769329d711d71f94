'use strict';
// Names of what the files of node:http share and programs do not see. Node's own tests ask for some of
// them, through internal/http.

module.exports = {
  kConnections: Symbol('http.server.connections'),
  kConnectionsCheckingInterval: Symbol('http.server.connectionsCheckingInterval'),
  kConnectionState: Symbol('kConnectionState'),
  kDetachAbortSignal: Symbol('kDetachAbortSignal'),
  kHighWaterMark: Symbol('kHighWaterMark'),
  kIncomingMessage: Symbol('IncomingMessage'),
  kNeedDrain: Symbol('kNeedDrain'),
  kOutHeaders: Symbol('kOutHeaders'),
  kProxyConfig: Symbol('kProxyConfig'),
  kServerResponse: Symbol('ServerResponse'),
  kSkipPendingData: Symbol('SkipPendingData'),
  kUniqueHeaders: Symbol('kUniqueHeaders'),
  kWaitForProxyTunnel: Symbol('kWaitForProxyTunnel'),
};
