'use strict';
// node:https: the server, the agent and the requests of node:http on TLS.

const { Agent } = require('internal/https/agent');
const { kPerRequestIdentity } = require('internal/https/symbols');
const { getGlobalAgent } = require('internal/http');
const { getOptionValue } = require('internal/options');
const { promisify } = require('internal/util');
const { URL, isURL, urlToHttpOptions } = require('internal/url');
const { validateObject } = require('internal/validators');
const { ClientRequest } = require('_http_client');
const {
  Server: HttpServer, _connectionListener, httpServerPreClose, setupConnectionsTracking, storeHTTPOptions,
} = require('_http_server');
const tls = require('tls');

// ---- Servers ----

function Server(options, requestListener) {
  if (!(this instanceof Server)) return new Server(options, requestListener);
  let ALPNProtocols = ['http/1.1'];
  if (typeof options === 'function') {
    requestListener = options;
    options = {};
  } else if (options == null) {
    options = {};
  } else {
    validateObject(options, 'options');
    // One of both at most.
    if (options.ALPNProtocols || options.ALPNCallback) ALPNProtocols = undefined;
  }
  Reflect.apply(storeHTTPOptions, this, [options]);
  Reflect.apply(tls.Server, this, [{ noDelay: true, ALPNProtocols, ...options }, _connectionListener]);
  this.httpAllowHalfOpen = false;
  if (requestListener) this.addListener('request', requestListener);
  this.addListener('tlsClientError', onClientError);
  this.timeout = 0;
  this.maxHeadersCount = null;
  this.on('listening', setupConnectionsTracking);
}
Object.setPrototypeOf(Server.prototype, tls.Server.prototype);
Object.setPrototypeOf(Server, tls.Server);

function onClientError(error, socket) {
  if (!this.emit('clientError', error, socket)) socket.destroy(error);
}

Server.prototype.closeAllConnections = HttpServer.prototype.closeAllConnections;
Server.prototype.closeIdleConnections = HttpServer.prototype.closeIdleConnections;
Server.prototype.setTimeout = HttpServer.prototype.setTimeout;

Server.prototype.close = function close(...args) {
  httpServerPreClose(this);
  Reflect.apply(tls.Server.prototype.close, this, args);
  return this;
};

Server.prototype[Symbol.asyncDispose] = async function() {
  await promisify(this.close).call(this);
};

function createServer(options, requestListener) {
  return new Server(options, requestListener);
}

// ---- Requests ----

let identities = 0;

// Whether the check of the server's name is the agent's, so that connections may be shared.
function agentChecksIdentity({ agent, createConnection }) {
  if (agent === false) return false;
  if (agent == null) {
    if (typeof createConnection === 'function') return false;
    agent = module.exports.globalAgent;
  }
  return agent?.options?.checkServerIdentity !== undefined;
}

function request(...args) {
  let options = {};
  if (typeof args[0] === 'string') options = urlToHttpOptions(new URL(args.shift()));
  else if (isURL(args[0])) options = urlToHttpOptions(args.shift());
  if (args[0] && typeof args[0] !== 'function') Object.assign(options, args.shift());

  const { checkServerIdentity } = options;
  if (checkServerIdentity !== undefined && checkServerIdentity !== tls.checkServerIdentity &&
      !agentChecksIdentity(options)) {
    // A connection that was checked otherwise must not be used for this request.
    options[kPerRequestIdentity] = ++identities;
  }
  options._defaultAgent = module.exports.globalAgent;
  return new ClientRequest(options, ...args);
}

function get(input, options, callback) {
  const made = request(input, options, callback);
  made.end();
  return made;
}

module.exports = {
  Agent,
  globalAgent: getGlobalAgent(getOptionValue('--use-env-proxy') ? process.env : undefined, Agent),
  Server,
  createServer,
  get,
  request,
};
