'use strict';
// tls.Server: a net.Server whose connections become TLSSockets.

const {
  ConnResetException,
  codes: { ERR_INVALID_ARG_TYPE, ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS, ERR_TLS_REQUIRED_SERVER_NAME },
} = require('internal/errors');
const assert = require('internal/assert');
const { SecureContext } = require('internal/tls/common');
const { TLSSocket } = require('internal/tls/socket');
const {
  kEnableTrace, kErrorEmitted, kHandshakeTimeout, kPskCallback, kPskIdentityHint, kSNICallback,
} = require('internal/tls/symbols');
const {
  validateBuffer, validateFunction, validateNumber, validateObject, validateString,
} = require('internal/validators');
const { captureRejectionSymbol } = require('events');
const net = require('net');
const tls = require('tls');

const { sessionIdContextOf } = internalBinding('crypto');

const kHandshakeTimeoutMs = 120_000;

function Server(options, listener) {
  if (!(this instanceof Server)) return new Server(options, listener);
  if (typeof options === 'function') {
    listener = options;
    options = {};
  } else if (options == null) {
    options = {};
  } else if (typeof options !== 'object') {
    throw new ERR_INVALID_ARG_TYPE('options', 'Object', options);
  }

  this._contexts = [];
  this.requestCert = options.requestCert === true;
  this.rejectUnauthorized = options.rejectUnauthorized !== false;
  this.ALPNCallback = options.ALPNCallback;
  if (this.ALPNCallback && options.ALPNProtocols) throw new ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS();
  if (options.sessionTimeout) this.sessionTimeout = options.sessionTimeout;
  if (options.ticketKeys) this.ticketKeys = options.ticketKeys;
  if (options.ALPNProtocols) tls.convertALPNProtocols(options.ALPNProtocols, this);
  this.setSecureContext(options);

  this[kHandshakeTimeout] = options.handshakeTimeout || kHandshakeTimeoutMs;
  this[kSNICallback] = options.SNICallback;
  this[kPskCallback] = options.pskCallback;
  this[kPskIdentityHint] = options.pskIdentityHint;
  validateNumber(this[kHandshakeTimeout], 'options.handshakeTimeout');
  if (this[kSNICallback]) validateFunction(this[kSNICallback], 'options.SNICallback');
  if (this[kPskCallback]) validateFunction(this[kPskCallback], 'options.pskCallback');
  if (this[kPskIdentityHint]) validateString(this[kPskIdentityHint], 'options.pskIdentityHint');

  Reflect.apply(net.Server, this, [options, onConnection]);
  if (listener) this.on('secureConnection', listener);
  this[kEnableTrace] = options.enableTrace;
}
Object.setPrototypeOf(Server.prototype, net.Server.prototype);
Object.setPrototypeOf(Server, net.Server);

// ---- Connections ----

function onConnection(rawSocket) {
  const socket = new TLSSocket(rawSocket, {
    secureContext: this._sharedCreds,
    isServer: true,
    server: this,
    requestCert: this.requestCert,
    rejectUnauthorized: this.rejectUnauthorized,
    handshakeTimeout: this[kHandshakeTimeout],
    ALPNProtocols: this.ALPNProtocols,
    ALPNCallback: this.ALPNCallback,
    SNICallback: this[kSNICallback] || chooseContext,
    enableTrace: this[kEnableTrace],
    pauseOnConnect: this.pauseOnConnect,
    pskCallback: this[kPskCallback],
    pskIdentityHint: this[kPskIdentityHint],
  });
  socket.on('secure', onSecure);
  if (this.listenerCount('keylog') > 0) socket.on('keylog', onKeyLog);
  socket[kErrorEmitted] = false;
  socket.on('close', onClose);
  socket.on('_tlsError', onError);
  socket.on('error', onError);
}

// The handshake is done. What the client's certificate is worth is decided here.
function onSecure() {
  if (this._requestCert) {
    const verifyError = this._handle.verifyError();
    if (verifyError) this.authorizationError = verifyError.code;
    // A session that is resumed may have none.
    else if (!this._handle.hasPeerCertificate()) this.authorizationError = 'UNABLE_TO_GET_ISSUER_CERT';
    else this.authorized = true;
    if (!this.authorized && this._rejectUnauthorized) this.destroy();
  }
  if (!this.destroyed && this._releaseControl()) {
    this.secureConnecting = false;
    this._tlsOptions.server.emit('secureConnection', this);
  }
}

function reportClientError(socket, error) {
  if (socket._controlReleased || socket[kErrorEmitted]) return;
  socket[kErrorEmitted] = true;
  socket._tlsOptions.server.emit('tlsClientError', error, socket);
}

function onError(error) {
  reportClientError(this, error);
}

function onClose(hadError) {
  if (!hadError) reportClientError(this, new ConnResetException('socket hang up'));
}

function onKeyLog(line) {
  this._tlsOptions.server.emit('keylog', line, this);
}

// ---- Contexts ----

// The last one that was added for a name counts.
function chooseContext(servername, callback) {
  const found = this.server._contexts.findLast(([pattern]) => pattern.test(servername));
  callback(null, found?.[1]);
}
chooseContext.isDefault = true;

Server.prototype.addContext = function(servername, context) {
  if (!servername) throw new ERR_TLS_REQUIRED_SERVER_NAME();
  const pattern = servername.replace(/([.^$+?\-\\[\]{}])/g, '\\$1').replaceAll('*', '[^.]*');
  const chosen = context instanceof SecureContext ? context : tls.createSecureContext(context);
  this._contexts.push([new RegExp(`^${pattern}$`, 'i'), chosen.context]);
};

// Options that are not there, or false, are undefined.
const kContextOptions = [
  'pfx', 'key', 'passphrase', 'cert', 'clientCertEngine', 'ca', 'minVersion', 'maxVersion', 'secureProtocol',
  'crl', 'ciphers', 'dhparam',
];
// As they are.
const kPlainContextOptions = [
  'sigalgs', 'ecdhCurve', 'privateKeyIdentifier', 'privateKeyEngine', 'certificateCompression',
];

Server.prototype.setSecureContext = function(options) {
  validateObject(options, 'options');
  for (const name of kContextOptions) this[name] = options[name] || undefined;
  for (const name of kPlainContextOptions) this[name] = options[name];
  this.honorCipherOrder = options.honorCipherOrder !== undefined ? Boolean(options.honorCipherOrder) : true;
  this.secureOptions = options.secureOptions || undefined;
  this.sessionIdContext = options.sessionIdContext || sessionIdContextOf(process.argv.join(' '));
  if (options.sessionTimeout) this.sessionTimeout = options.sessionTimeout;
  if (options.ticketKeys) this.ticketKeys = options.ticketKeys;

  const contextOptions = {};
  for (const name of [
    ...kContextOptions, ...kPlainContextOptions, 'honorCipherOrder', 'secureOptions', 'sessionIdContext',
    'sessionTimeout', 'ticketKeys',
  ]) {
    contextOptions[name] = this[name];
  }
  this._sharedCreds = tls.createSecureContext(contextOptions);
};

// ---- Keys of session tickets, which processes that share a port share ----

Server.prototype._getServerData = function() {
  return { ticketKeys: this.getTicketKeys().toString('hex') };
};

Server.prototype._setServerData = function(data) {
  this.setTicketKeys(Buffer.from(data.ticketKeys, 'hex'));
};

Server.prototype.getTicketKeys = function getTicketKeys() {
  return this._sharedCreds.context.getTicketKeys();
};

Server.prototype.setTicketKeys = function setTicketKeys(keys) {
  validateBuffer(keys);
  assert(keys.byteLength === 48, 'Session ticket keys must be a 48-byte buffer');
  this._sharedCreds.context.setTicketKeys(keys);
};

Server.prototype[captureRejectionSymbol] = function(error, event, socket) {
  if (event === 'secureConnection') socket.destroy(error);
  else net.Server.prototype[captureRejectionSymbol].call(this, error, event, socket);
};

function createServer(options, listener) {
  return new Server(options, listener);
}

module.exports = { Server, createServer };
