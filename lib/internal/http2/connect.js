'use strict';
// http2.connect().

const net = require('net');
const tls = require('tls');
const { codes: { ERR_HTTP2_UNSUPPORTED_PROTOCOL } } = require('internal/errors');
const { checkObject, completeOptions, completeStrictness, serverOptions, withProtocols } =
  require('internal/http2/checks');
const { ClientHttp2Session } = require('internal/http2/client_session');
const { kAuthority, kProtocol, kState } = require('internal/http2/symbols');
const { URL } = require('internal/url');
const { promisify } = require('internal/util');
const { validateNumber } = require('internal/validators');

function clientOptions(options) {
  checkObject(options, 'options');
  options = { ...options };
  if (options.maxOriginSetSize != null) validateNumber(options.maxOriginSetSize, 'options.maxOriginSetSize', 0);
  completeOptions(options);
  completeStrictness(options);
  return options;
}

function hostOf(authority) {
  if (!authority.hostname) return authority.host || 'localhost';
  return authority.hostname[0] === '[' ? authority.hostname.slice(1, -1) : authority.hostname;
}

function portOf({ port, protocol }) {
  if (port !== '') return `${port}`;
  return protocol === 'http:' ? '80' : '443';
}

function openSocket(authority, protocol, host, port, options) {
  if (typeof options.createConnection === 'function') return options.createConnection(authority, options);
  if (protocol === 'http:') return net.connect({ port, host, ...options });
  if (protocol !== 'https:') throw new ERR_HTTP2_UNSUPPORTED_PROTOCOL(protocol);
  return tls.connect(port, host, withProtocols(serverOptions(options), net.isIP(host) ? undefined : host));
}

function connect(authority, options, listener) {
  if (typeof options === 'function') {
    listener = options;
    options = undefined;
  }
  options = clientOptions(options);
  if (typeof authority === 'string') authority = new URL(authority);
  checkObject(authority, 'authority', ['string', 'Object', 'URL']);
  const protocol = authority.protocol || options.protocol || 'https:';
  const port = portOf(authority);
  const host = hostOf(authority);
  const session = new ClientHttp2Session(options, openSocket(authority, protocol, host, port, options));
  session[kAuthority] = `${options.servername || host}:${port}`;
  session[kProtocol] = protocol;
  if (options.maxOriginSetSize != null) session[kState].maxOrigins = options.maxOriginSetSize;
  if (typeof listener === 'function') session.once('connect', listener);
  return session;
}

function connectWithPromise(authority, options) {
  return new Promise((resolve, reject) => {
    const session = connect(authority, options, () => {
      session.removeListener('error', reject);
      resolve(session);
    });
    session.once('error', reject);
  });
}
Object.defineProperty(connectWithPromise, 'name', { __proto__: null, value: 'connect', configurable: true });
Object.defineProperty(connect, promisify.custom, { __proto__: null, value: connectWithPromise });

module.exports = { connect };
