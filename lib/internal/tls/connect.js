'use strict';
// tls.connect().

const {
  ConnResetException, codes: { ERR_INVALID_ARG_VALUE, ERR_TLS_DH_PARAM_SIZE },
} = require('internal/errors');
const { normalizeArgs } = require('internal/net/normalize');
const { identityOf, sessionToResume } = require('internal/tls/session_state');
const { TLSSocket } = require('internal/tls/socket');
const { kConnectOptions, kIsVerified, kPendingSession } = require('internal/tls/symbols');
const { validateFunction, validateNumber } = require('internal/validators');
const net = require('net');
const tls = require('tls');

// Whether the environment says that nothing is to be verified, which is worth a warning.
let warnedUnauthorized = false;
function allowsUnauthorized() {
  const allows = process.env.NODE_TLS_REJECT_UNAUTHORIZED === '0';
  if (allows && !warnedUnauthorized) {
    warnedUnauthorized = true;
    process.emitWarning('Setting the NODE_TLS_REJECT_UNAUTHORIZED environment variable to \'0\' makes TLS ' +
      'connections and HTTPS requests insecure by disabling certificate verification.');
  }
  return allows;
}

// ([port,] [host,] [options,] [callback])
function connectOptions(args) {
  const [options, callback] = normalizeArgs(args);
  // normalizeArgs() does not handle options after a port and a host.
  Object.assign(options, args[1] !== null && typeof args[1] === 'object' ? args[1] : args[2]);
  return [options, callback];
}

function connect(...args) {
  const [given, callback] = connectOptions(args);
  const options = {
    rejectUnauthorized: !allowsUnauthorized(),
    ciphers: tls.DEFAULT_CIPHERS,
    checkServerIdentity: tls.checkServerIdentity,
    minDHSize: 1024,
    ...given,
  };
  if (!options.keepAlive) options.singleUse = true;
  validateFunction(options.checkServerIdentity, 'options.checkServerIdentity');
  validateNumber(options.minDHSize, 'options.minDHSize', 1);
  const secureContext = options.secureContext || tls.createSecureContext(options);
  if (options.servername && net.isIP(options.servername)) {
    throw new ERR_INVALID_ARG_VALUE('options.servername', options.servername,
      'Setting the TLS ServerName to an IP address is not permitted.');
  }
  options.session = sessionToResume(options.session, options);
  // undefined means true as well.
  options.rejectUnauthorized = options.rejectUnauthorized !== false;

  const socket = new TLSSocket(options.socket, {
    allowHalfOpen: options.allowHalfOpen,
    pipe: Boolean(options.path),
    secureContext,
    isServer: false,
    requestCert: true,
    rejectUnauthorized: options.rejectUnauthorized,
    session: options.session,
    ALPNProtocols: options.ALPNProtocols,
    requestOCSP: options.requestOCSP,
    enableTrace: options.enableTrace,
    pskCallback: options.pskCallback,
    highWaterMark: options.highWaterMark,
    onread: options.onread,
    signal: options.signal,
    noDelay: options.noDelay,
    keepAlive: options.keepAlive,
    keepAliveInitialDelay: options.keepAliveInitialDelay,
  });
  socket[kConnectOptions] = options;
  if (callback) socket.once('secureConnect', callback);
  if (!options.socket) {
    if (options.timeout) socket.setTimeout(options.timeout);
    socket.connect(options, socket._start);
  }
  socket._releaseControl();
  if (options.session) socket._handle.setSession(options.session);
  if (options.servername) socket.setServername(options.servername);
  if (options.socket) socket._start();
  socket.on('secure', onSecure);
  socket.prependListener('end', onEnd);
  return socket;
}

// What is wrong with the certificate of the server, if anything.
function verify(socket, options) {
  const error = socket._handle.verifyError();
  // A session that is resumed was verified when it was made.
  if (error || socket.isSessionReused()) return error;
  return options.checkServerIdentity(identityOf(options), socket.getPeerCertificate(true));
}

function onSecure() {
  const options = this[kConnectOptions];
  const key = this.getEphemeralKeyInfo();
  if (key.type === 'DH' && key.size < options.minDHSize) {
    this.emit('error', new ERR_TLS_DH_PARAM_SIZE(key.size));
    this.destroy();
    return;
  }
  const error = verify(this, options);
  if (error) {
    this.authorized = false;
    this.authorizationError = error.code || error.message;
    if (options.rejectUnauthorized !== false) {
      this.destroy(error);
      return;
    }
  } else {
    this.authorized = true;
  }
  this.secureConnecting = false;
  this.emit('secureConnect');
  this[kIsVerified] = true;
  const session = this[kPendingSession];
  this[kPendingSession] = null;
  if (session) this.emit('session', session);
  this.removeListener('end', onEnd);
}

// The other side has gone before the handshake was done.
function onEnd() {
  if (this._hadError) return;
  this._hadError = true;
  const { path, host, port, localAddress } = this[kConnectOptions];
  const error = new ConnResetException('Client network socket disconnected before secure TLS connection was ' +
    'established');
  this.destroy(Object.assign(error, { path, host, port, localAddress }));
}

module.exports = { connect };
