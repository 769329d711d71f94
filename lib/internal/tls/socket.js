'use strict';
// tls.TLSSocket: a net.Socket whose handle encrypts, above the handle of another socket, of a Duplex of JavaScript, or of
// a connection that it makes itself.

const { async_id_symbol, initResource } = require('internal/async_hooks');
const {
  codes: {
    ERR_TLS_HANDSHAKE_TIMEOUT, ERR_TLS_INVALID_CONTEXT, ERR_TLS_INVALID_STATE, ERR_TLS_SNI_FROM_SERVER,
  },
} = require('internal/errors');
const { makeHandle } = require('internal/net/connect');
const { kReinitializeHandle } = require('internal/net/socket');
const { getOptionValue } = require('internal/options');
const { closeHandle, kOwner } = require('internal/native/stream_handle');
const { SecureContext, translatePeerCertificate } = require('internal/tls/common');
const { callbacksFor, chooseProtocol, clientKey, serverKey } = require('internal/tls/handshake');
const { packSession, sessionToResume } = require('internal/tls/session_state');
const {
  kALPNCallback, kConnectOptions, kDisableRenegotiation, kIsVerified, kPendingSession, kPskCallback, kRes,
  kSecureContext,
} = require('internal/tls/symbols');
const {
  validateBoolean, validateBuffer, validateFunction, validateInt32, validateObject, validateString,
  validateUint32,
} = require('internal/validators');
const net = require('net');
const tls = require('tls');

const { SecureContext: NativeSecureContext } = internalBinding('crypto');
const { TLSWrap } = binding('tls_wrap');

const warned = { trace: false, keylog: false, keylogError: false };

// ---- The handle ----

// What the handle below does, if it is one that can. Most are asked of it before there is a connection.
const kOfHandleBelow = [
  'ref', 'unref', 'hasRef', 'open', 'bind', 'listen', 'connect', 'connect6', 'getsockname', 'getpeername', 'setNoDelay',
  'setKeepAlive', 'setTypeOfService', 'getTypeOfService', 'setBlocking', 'reset',
];
for (const name of kOfHandleBelow) {
  TLSWrap.prototype[name] = function(...args) {
    if (this._parent[name]) return Reflect.apply(this._parent[name], this._parent, args);
    return undefined;
  };
}

TLSWrap.prototype.close = function close(callback) {
  const socket = this[kOwner];
  if (socket && socket.ssl === this) socket.ssl = null;
  const done = () => {
    // Writes that wait are cancelled.
    this.destroySSL();
    callback?.();
  };
  const { _parentWrap: below } = this;
  if (below) {
    if (below._handle === null) { // closed already
      done();
      return;
    }
    if (below._handle === this._parent) {
      below.once('close', done);
      below.destroy();
      return;
    }
  }
  closeHandle(this._parent, done);
};

function getAsyncId() {
  return this[async_id_symbol];
}

// `below` is the socket whose handle it is, null if that is our own.
function makeTlsHandle(handle, below, context, { isServer }, hasActiveWrite) {
  const made = new TLSWrap(handle, context.context, Boolean(isServer), hasActiveWrite);
  initResource(made, 'TLSWRAP');
  made.getAsyncId = getAsyncId;
  made._parent = handle;
  made._parentWrap = below;
  made._secureContext = context;
  made.reading = handle.reading;
  // They live as long as each other.
  handle._tlsWrap = made;
  return made;
}

// One that was made for a single connection can go with that.
function closeSingleUseContext(context) {
  if (!context?.singleUse || context.context === null) return;
  context.context.close();
  context.context = null;
}

function destroySSL(socket) {
  socket._destroySSL();
}

function onClose() {
  // OpenSSL may be on the stack.
  setImmediate(destroySSL, this);
  this[kRes] = null;
}

// ---- Making one ----

function traceOption(enableTrace) {
  if (enableTrace != null) {
    validateBoolean(enableTrace, 'options.enableTrace');
    return enableTrace;
  }
  const isOn = Boolean(getOptionValue('--trace-tls'));
  if (isOn && !warned.trace) {
    warned.trace = true;
    process.emitWarning('Enabling --trace-tls can expose sensitive data in the resulting log.');
  }
  return isOn;
}

function TLSSocket(socket, opts) {
  const options = { ...opts };
  const enableTrace = traceOption(options.enableTrace);
  if (options.ALPNProtocols) tls.convertALPNProtocols(options.ALPNProtocols, options);

  this._tlsOptions = options;
  this._secureEstablished = false;
  this._securePending = false;
  this._newSessionPending = false;
  this._controlReleased = false;
  this.secureConnecting = true;
  this._SNICallback = null;
  this[kALPNCallback] = null;
  this.servername = null;
  this.alpnProtocol = null;
  this.authorized = false;
  this.authorizationError = null;
  this[kRes] = null;
  this[kSecureContext] = null;
  this[kIsVerified] = false;
  this[kPendingSession] = null;
  this.encrypted = true;

  let below = null;
  if (socket) {
    // What has no handle in C++ gets one that calls into JavaScript.
    const hasHandle = socket instanceof net.Socket && socket._handle;
    below = hasHandle ? socket : new (require('internal/js_stream_socket'))(socket);
  }
  const hasActiveWrite = below !== null && below.writableLength > 0;

  Reflect.apply(net.Socket, this, [{
    handle: this._wrapHandle(below, below?._handle, hasActiveWrite),
    allowHalfOpen: socket ? socket.allowHalfOpen : options.allowHalfOpen,
    pauseOnCreate: options.pauseOnConnect,
    manualStart: true,
    highWaterMark: options.highWaterMark,
    onread: socket ? null : options.onread,
    signal: options.signal,
    noDelay: options.noDelay,
    keepAlive: options.keepAlive,
    keepAliveInitialDelay: options.keepAliveInitialDelay,
  }]);
  this.ssl = this._handle;
  this.on('error', this._tlsError);
  this._init(socket, below);
  if (enableTrace && this._handle) this._handle.enableTrace();

  if (hasActiveWrite) {
    // An empty write ends after all that were made before.
    below.write('', (error) => {
      if (error) this.destroy(error);
      else this._handle?.writesIssuedByPrevListenerDone();
    });
  }
  // Later, so that the caller can add listeners.
  process.nextTick(beginReading, this, socket);
}
Object.setPrototypeOf(TLSSocket.prototype, net.Socket.prototype);
Object.setPrototypeOf(TLSSocket, net.Socket);

function beginReading(tlsSocket, socket) {
  if (!tlsSocket._handle) return;
  // What the socket below has read already was meant for us.
  if (socket?.readableLength) {
    let chunk;
    while ((chunk = socket.read()) !== null) tlsSocket._handle?.receive(chunk);
  }
  tlsSocket.read(0);
}

TLSSocket.prototype._wrapHandle = function(below, handle, hasActiveWrite) {
  const options = this._tlsOptions;
  if (!handle) {
    handle = makeHandle(options.pipe ? null : undefined);
    handle[kOwner] = this;
  }
  const context = options.secureContext || options.credentials || tls.createSecureContext(options);
  if (!(context.context instanceof NativeSecureContext)) throw new ERR_TLS_INVALID_CONTEXT('context');

  const made = makeTlsHandle(handle, below, context, options, hasActiveWrite);
  this[kSecureContext] = context;
  this[kRes] = made;
  // The handle below is read when we are.
  Object.defineProperty(handle, 'reading', {
    __proto__: null,
    configurable: true,
    get: () => this[kRes]?.reading,
    set: (value) => {
      if (this[kRes]) this[kRes].reading = value;
    },
  });
  // Called again for another handle of the same socket.
  if (this.listenerCount('close', onClose) === 0) this.on('close', onClose);
  below?.on('close', () => this.destroy());
  return made;
};

// For another attempt to connect (autoSelectFamily).
TLSSocket.prototype[kReinitializeHandle] = function(handle) {
  const servername = this.ssl ? this._handle.getServername() : null;
  const session = this.ssl ? this._handle.getSession() : null;
  const made = this._wrapHandle(null, handle, false);
  net.Socket.prototype[kReinitializeHandle].call(this, made);
  this.ssl = this._handle;
  this._init();
  if (this._tlsOptions.enableTrace) this._handle.enableTrace();
  if (session) this.setSession(session);
  if (servername) this.setServername(servername);
};

// Turns a callback of the handle on with the first listener for this event.
function enableOn(event, method) {
  return function onNewListener(name) {
    if (name !== event || !this._handle) return;
    this._handle[method]();
    this.removeListener('newListener', onNewListener);
  };
}
const keylogListener = enableOn('keylog', 'enableKeylogCallback');
const sessionListener = enableOn('session', 'enableSessionCallbacks');

function addOnce(socket, event, listener) {
  if (socket.listenerCount(event, listener) === 0) socket.on(event, listener);
}

TLSSocket.prototype._init = function(socket, below) {
  const options = this._tlsOptions;
  const handle = this._handle;
  this.server = options.server;

  // A client always gets a certificate.
  const requestCert = Boolean(options.requestCert) || !options.isServer;
  const rejectUnauthorized = Boolean(options.rejectUnauthorized);
  this._requestCert = requestCert;
  this._rejectUnauthorized = rejectUnauthorized;
  if (requestCert || rejectUnauthorized) handle.setVerifyMode(requestCert, rejectUnauthorized);

  Object.assign(handle, callbacksFor(options.isServer));
  addOnce(this, 'newListener', keylogListener);
  if (options.isServer) {
    initServer(this, handle, options);
  } else {
    if (options.session) handle.setSession(options.session);
    addOnce(this, 'newListener', sessionListener);
  }
  logKeysToFile(this);
  if (options.ALPNProtocols) handle.setALPNProtocols(options.ALPNProtocols);
  if (options.pskCallback) initPreSharedKeys(this, handle, options);
  const servername = this[kConnectOptions]?.servername;
  if (!options.isServer && servername) this.setServername(servername);
  if (options.handshakeTimeout > 0) this.setTimeout(options.handshakeTimeout, this._handleTimeout);

  if (socket instanceof net.Socket) {
    this._parent = socket;
    this.connecting = socket.connecting || !socket._handle;
    socket.once('connect', () => {
      this.connecting = false;
      this.emit('connect');
    });
  }
  if (below) below.on('error', (error) => this._emitTLSError(error));
  else this.connecting = true;
};

function initServer(socket, handle, options) {
  const { server } = options;
  if (options.ALPNCallback) {
    validateFunction(options.ALPNCallback, 'options.ALPNCallback');
    socket[kALPNCallback] = options.ALPNCallback;
    handle.ALPNCallback = chooseProtocol;
    handle.enableALPNCb();
  }
  if (server) {
    if (server.listenerCount('resumeSession') > 0 || server.listenerCount('newSession') > 0) {
      handle.enableSessionCallbacks();
    }
    if (server.listenerCount('OCSPRequest') > 0) handle.enableCertCb();
  }
  const { SNICallback } = options;
  // That of servers is needed only if there are contexts to choose from.
  if (SNICallback && (!SNICallback.isDefault || server?._contexts.length)) {
    validateFunction(SNICallback, 'options.SNICallback');
    socket._SNICallback = SNICallback;
    handle.enableCertCb();
  }
}

function initPreSharedKeys(socket, handle, { isServer, pskCallback, pskIdentityHint }) {
  validateFunction(pskCallback, 'pskCallback');
  handle.onpskexchange = isServer ? serverKey : clientKey;
  socket[kPskCallback] = pskCallback;
  handle.enablePskCallback();
  if (pskIdentityHint) {
    validateString(pskIdentityHint, 'options.pskIdentityHint');
    handle.setPskIdentityHint(pskIdentityHint);
  }
}

// --tls-keylog
function logKeysToFile(socket) {
  const file = getOptionValue('--tls-keylog');
  if (!file) return;
  if (!warned.keylog) {
    warned.keylog = true;
    process.emitWarning('Using --tls-keylog makes TLS connections insecure by writing secret key material ' +
      `to file ${file}`);
  }
  socket.on('keylog', (line) => {
    require('fs').appendFile(file, line, { mode: 0o600 }, (error) => {
      if (!error || warned.keylogError) return;
      warned.keylogError = true;
      process.emitWarning(`Failed to write TLS keylog (this warning will not be repeated): ${error}`);
    });
  });
}

// ---- Life ----

TLSSocket.prototype._start = function() {
  if (this.connecting) {
    this.once('connect', this._start);
    return;
  }
  if (!this._handle) return; // destroyed meanwhile
  // Its signal was aborted before it began to connect: that has destroyed the session, and not the connection.
  if (this.ssl === null) {
    this.destroy();
    return;
  }
  if (this._tlsOptions.requestOCSP) this._handle.requestOCSP();
  this._handle.start();
};

TLSSocket.prototype._finishInit = function() {
  // A listener may have destroyed it in the middle of the handshake.
  if (!this._handle) return;
  this.alpnProtocol = this._handle.getALPNNegotiatedProtocol();
  if (this.servername === null) this.servername = this._handle.getServername();
  this._secureEstablished = true;
  if (this._tlsOptions.handshakeTimeout > 0) this.setTimeout(0, this._handleTimeout);
  this.emit('secure');
};

TLSSocket.prototype._destroySSL = function _destroySSL() {
  if (this.ssl) {
    this.ssl.destroySSL();
    this.ssl = null;
  }
  closeSingleUseContext(this[kSecureContext]);
  this[kSecureContext] = null;
  this[kPendingSession] = null;
  this[kIsVerified] = false;
};

TLSSocket.prototype._handleTimeout = function() {
  this._emitTLSError(new ERR_TLS_HANDSHAKE_TIMEOUT());
};

TLSSocket.prototype._emitTLSError = function(error) {
  const shown = this._tlsError(error);
  if (shown) this.emit('error', shown);
};

// Errors of the handshake are the server's ('tlsClientError') until the program has the socket.
TLSSocket.prototype._tlsError = function(error) {
  this.emit('_tlsError', error);
  return this._controlReleased ? error : null;
};

TLSSocket.prototype._releaseControl = function() {
  if (this._controlReleased) return false;
  this._controlReleased = true;
  this.removeListener('error', this._tlsError);
  return true;
};

// ---- For programs ----

TLSSocket.prototype.disableRenegotiation = function disableRenegotiation() {
  this[kDisableRenegotiation] = true;
};

TLSSocket.prototype.renegotiate = function(options, callback) {
  validateObject(options, 'options');
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (this.destroyed) return undefined;

  const requestCert = Boolean(options.requestCert ?? this._requestCert);
  const rejectUnauthorized = Boolean(options.rejectUnauthorized ?? this._rejectUnauthorized);
  if (requestCert !== this._requestCert || rejectUnauthorized !== this._rejectUnauthorized) {
    this._handle.setVerifyMode(requestCert, rejectUnauthorized);
    this._requestCert = requestCert;
    this._rejectUnauthorized = rejectUnauthorized;
  }
  // Empty writes make OpenSSL continue with what it has to do.
  this.write('');
  try {
    this._handle.renegotiate();
  } catch (error) {
    if (callback) process.nextTick(callback, error);
    return false;
  }
  this.write('');
  if (callback) this.once('secure', () => callback(null));
  return true;
};

TLSSocket.prototype.exportKeyingMaterial = function(length, label, context) {
  validateUint32(length, 'length', true);
  validateString(label, 'label');
  if (context !== undefined) validateBuffer(context, 'context');
  if (!this._secureEstablished) throw new ERR_TLS_INVALID_STATE();
  return this._handle.exportKeyingMaterial(length, label, context);
};

TLSSocket.prototype.setMaxSendFragment = function setMaxSendFragment(size) {
  validateInt32(size, 'size');
  return this._handle.setMaxSendFragment(size) === 1;
};

TLSSocket.prototype.setServername = function(name) {
  validateString(name, 'name');
  if (this._tlsOptions.isServer) throw new ERR_TLS_SNI_FROM_SERVER();
  this._handle.setServername(name);
};

TLSSocket.prototype.setSession = function(session) {
  session = sessionToResume(session, this[kConnectOptions] || this._tlsOptions);
  if (session !== undefined) this._handle.setSession(session);
};

TLSSocket.prototype.getSession = function() {
  if (!this._handle) return null;
  return packSession(this._handle.getSession(), this[kConnectOptions] || this._tlsOptions);
};

TLSSocket.prototype.getPeerCertificate = function(detailed) {
  if (!this._handle) return null;
  return translatePeerCertificate(this._handle.getPeerCertificate(detailed)) || {};
};

TLSSocket.prototype.getCertificate = function() {
  if (!this._handle) return null;
  return translatePeerCertificate(this._handle.getCertificate()) || {};
};

function toX509(handle) {
  if (!handle) return undefined;
  const { InternalX509Certificate } = require('internal/crypto/x509');
  return new InternalX509Certificate(handle);
}

TLSSocket.prototype.getPeerX509Certificate = function(_abbreviated) {
  return toX509(this._handle?.getPeerX509Certificate());
};

TLSSocket.prototype.getX509Certificate = function() {
  return toX509(this._handle?.getX509Certificate());
};

TLSSocket.prototype.setKeyCert = function(context) {
  if (!this._handle) return;
  const chosen = context instanceof SecureContext ? context : tls.createSecureContext(context);
  this._handle.setKeyCert(chosen.context);
};

// What the handle knows.
for (const name of [
  'getCipher', 'getSharedSigalgs', 'getEphemeralKeyInfo', 'getFinished', 'getPeerFinished', 'getProtocol',
  'getTLSTicket', 'isSessionReused', 'enableTrace',
]) {
  TLSSocket.prototype[name] = function(...args) {
    return this._handle ? Reflect.apply(this._handle[name], this._handle, args) : null;
  };
}

module.exports = { TLSSocket };
