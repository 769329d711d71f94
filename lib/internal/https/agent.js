'use strict';
// https.Agent: connections are TLS sockets, and sessions of those are kept, so that the next connection to the same server
// can resume one.

const { kPerRequestIdentity } = require('internal/https/symbols');
const { connectByProxy, tunnelFor } = require('internal/https/tunnel');
const { Agent: HttpAgent } = require('_http_agent');
const tls = require('tls');

const kMostSessions = 100;

function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  options = { __proto__: null, ...options };
  options.defaultPort ??= 443;
  options.protocol ??= 'https:';
  Reflect.apply(HttpAgent, this, [options]);
  this.maxCachedSessions = this.options.maxCachedSessions;
  if (this.maxCachedSessions === undefined) this.maxCachedSessions = kMostSessions;
  this._sessionCache = { map: {}, list: [] };
}
Object.setPrototypeOf(Agent.prototype, HttpAgent.prototype);
Object.setPrototypeOf(Agent, HttpAgent);

// ---- Connections ----

// ([port,] [host,] options, callback), in any of the ways that programs call it.
function connectionArguments(args) {
  const [first, second, third] = args;
  let options;
  if (first !== null && typeof first === 'object') options = first;
  else if (second !== null && typeof second === 'object') options = { ...second };
  else if (third !== null && typeof third === 'object') options = { ...third };
  else options = {};
  if (typeof first === 'number') options.port = first;
  if (typeof second === 'string') options.host = second;
  const last = args.at(-1);
  return [options, typeof last === 'function' ? last : undefined];
}

function createConnection(...args) {
  let [options, callback] = connectionArguments(args); // eslint-disable-line prefer-const
  const { _agentKey: key } = options;
  const resumes = key && !options[kPerRequestIdentity];
  if (resumes) {
    const session = this._getSession(key);
    if (session) options = { session, ...options };
  }
  const tunnel = tunnelFor(this, options);
  const socket = tunnel === null ? tls.connect(options) : connectByProxy(this, tunnel, callback);
  if (options[kPerRequestIdentity]) socket[kPerRequestIdentity] = true;
  if (resumes) {
    socket.on('session', (session) => this._cacheSession(key, session));
    socket.once('close', (hadError) => {
      if (hadError) this._evictSession(key);
    });
  }
  return socket;
}
Agent.prototype.createConnection = createConnection;

Agent.prototype.keepSocketAlive = function keepSocketAlive(socket) {
  if (socket[kPerRequestIdentity]) return false;
  return HttpAgent.prototype.keepSocketAlive.call(this, socket);
};

// ---- Names: connections of one name are interchangeable ----

function pfxName(pfx, passphrase) {
  if (!Array.isArray(pfx)) return pfx;
  return pfx.map((one) => `:${one?.buf || one}:${one?.passphrase || passphrase}`).join('');
}

const ifTrue = (value) => value || '';
const ifDefined = (value) => (value !== undefined ? value : '');

Agent.prototype.getName = function getName(options = {}) {
  const name = HttpAgent.prototype.getName.call(this, options);
  const { host, servername, sigalgs } = options;
  const parts = [
    ifTrue(options.ca), ifTrue(options.cert), ifTrue(options.clientCertEngine), ifTrue(options.ciphers),
    ifTrue(options.key), options.pfx ? pfxName(options.pfx, options.passphrase) : '',
    ifDefined(options.rejectUnauthorized), servername && servername !== host ? servername : '',
    ifTrue(options.minVersion), ifTrue(options.maxVersion), ifTrue(options.secureProtocol), ifTrue(options.crl),
    ifDefined(options.honorCipherOrder), ifTrue(options.ecdhCurve), ifTrue(options.dhparam),
    ifDefined(options.secureOptions), ifTrue(options.sessionIdContext), sigalgs ? JSON.stringify(sigalgs) : '',
    ifTrue(options.privateKeyIdentifier), ifTrue(options.privateKeyEngine),
  ];
  let whole = name;
  for (const part of parts) whole += `:${part}`;
  if (options[kPerRequestIdentity]) whole += `:${options[kPerRequestIdentity]}`;
  return whole;
};

// ---- Sessions ----

Agent.prototype._getSession = function _getSession(key) {
  return this._sessionCache.map[key];
};

Agent.prototype._cacheSession = function _cacheSession(key, session) {
  if (this.maxCachedSessions === 0) return;
  const { map, list } = this._sessionCache;
  if (!map[key]) {
    if (list.length >= this.maxCachedSessions) delete map[list.shift()];
    list.push(key);
  }
  map[key] = session;
};

Agent.prototype._evictSession = function _evictSession(key) {
  const { map, list } = this._sessionCache;
  const index = list.indexOf(key);
  if (index === -1) return;
  list.splice(index, 1);
  delete map[key];
};

module.exports = { Agent };
