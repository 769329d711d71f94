'use strict';
// Internal properties of TLS sockets and servers.

module.exports = {
  kALPNCallback: Symbol('alpncallback'),
  kConnectOptions: Symbol('connect-options'),
  kDisableRenegotiation: Symbol('disable-renegotiation'),
  kEnableTrace: Symbol('enableTrace'),
  kErrorEmitted: Symbol('error-emitted'),
  kHandshakeTimeout: Symbol('handshake-timeout'),
  kIsVerified: Symbol('verified'),
  kPendingSession: Symbol('pendingSession'),
  kPskCallback: Symbol('pskcallback'),
  kPskIdentityHint: Symbol('pskidentityhint'),
  kRes: Symbol('res'),
  kSNICallback: Symbol('snicallback'),
  kSecureContext: Symbol('secureContext'),
};
