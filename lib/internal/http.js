'use strict';
// What the files of node:http, node:https and node:http2 share, under the names that Node's own tests
// know.

const { utcDate } = require('internal/http/date');
const {
  checkShouldUseProxy, filterEnvForProxies, getGlobalAgent, parseProxyConfigFromEnv, parseProxyUrl,
} = require('internal/http/proxy');
const {
  kNeedDrain, kOutHeaders, kProxyConfig, kWaitForProxyTunnel,
} = require('internal/http/symbols');

module.exports = {
  kOutHeaders,
  kNeedDrain,
  kProxyConfig,
  kWaitForProxyTunnel,
  checkShouldUseProxy,
  parseProxyConfigFromEnv,
  utcDate,
  filterEnvForProxies,
  getGlobalAgent,
  parseProxyUrl,
};
