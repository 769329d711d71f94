'use strict';
// node:http.

const httpAgent = require('_http_agent');
const { ClientRequest } = require('_http_client');
const { methods, parsers } = require('_http_common');
const { IncomingMessage } = require('_http_incoming');
const { OutgoingMessage, validateHeaderName, validateHeaderValue } = require('_http_outgoing');
const { Server, ServerResponse, STATUS_CODES, _connectionListener } = require('_http_server');
const { codes: { ERR_PROXY_INVALID_CONFIG } } = require('internal/errors');
const { getGlobalAgent, parseProxyUrl } = require('internal/http/proxy');
const { getOptionValue } = require('internal/options');
const { URL } = require('internal/url');
const { validateInteger, validateObject } = require('internal/validators');

const kDefaultMaxHeaderSize = 16384;

function createServer(opts, requestListener) {
  return new Server(opts, requestListener);
}

function request(url, options, cb) {
  return new ClientRequest(url, options, cb);
}

function get(url, options, cb) {
  const made = request(url, options, cb);
  made.end();
  return made;
}

function setMaxIdleHTTPParsers(max) {
  validateInteger(max, 'max', 1);
  parsers.max = max;
}

// Agents and fetch() use these proxies from now on. Returns a function that undoes it.
function setGlobalProxyFromEnv(proxyEnv = process.env) {
  validateObject(proxyEnv, 'proxyEnv');
  const httpProxy = parseProxyUrl(proxyEnv, 'http:');
  const httpsProxy = parseProxyUrl(proxyEnv, 'https:');
  for (const url of [httpProxy, httpsProxy]) {
    if (url && !URL.canParse(url)) throw new ERR_PROXY_INVALID_CONFIG(url);
  }
  const undo = [];
  if (httpProxy || httpsProxy) undo.push(setFetchProxy(proxyEnv, httpProxy, httpsProxy));
  if (httpProxy) undo.push(setAgent(module.exports, getGlobalAgent(proxyEnv, httpAgent.Agent)));
  if (httpsProxy) {
    const https = require('https');
    undo.push(setAgent(https, getGlobalAgent(proxyEnv, https.Agent)));
  }
  return function restore() {
    for (const step of undo) step();
  };
}

function setFetchProxy(env, httpProxy, httpsProxy) {
  const { EnvHttpProxyAgent, getGlobalDispatcher, setGlobalDispatcher } =
    require('internal/deps/undici/undici');
  const before = getGlobalDispatcher();
  const noProxy = env.no_proxy || env.NO_PROXY;
  setGlobalDispatcher(new EnvHttpProxyAgent({ __proto__: null, httpProxy, httpsProxy, noProxy }));
  return () => setGlobalDispatcher(before);
}

function setAgent(module, agent) {
  const before = module.globalAgent;
  module.globalAgent = agent;
  return () => {
    module.globalAgent = before;
  };
}

module.exports = {
  _connectionListener,
  METHODS: methods.toSorted(),
  STATUS_CODES,
  Agent: httpAgent.Agent,
  ClientRequest,
  IncomingMessage,
  OutgoingMessage,
  Server,
  ServerResponse,
  createServer,
  validateHeaderName,
  validateHeaderValue,
  get,
  request,
  setMaxIdleHTTPParsers,
  setGlobalProxyFromEnv,
};

function define(name, get, set) {
  Object.defineProperty(module.exports, name, {
    __proto__: null, get, set, configurable: true, enumerable: true,
  });
}

define('maxHeaderSize',
  () => Number(getOptionValue('--max-http-header-size') ?? kDefaultMaxHeaderSize));
define('globalAgent', () => httpAgent.globalAgent, (agent) => {
  httpAgent.globalAgent = agent;
});
// Those of undici, as fetch() is.
for (const name of ['WebSocket', 'CloseEvent', 'MessageEvent']) {
  define(name, () => globalThis[name]);
}
