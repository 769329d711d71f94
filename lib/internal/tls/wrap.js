'use strict';
// What tls.js takes from here, under the name that it knows.

const { getOptionValue } = require('internal/options');

// Before the first context is made.
internalBinding('crypto').configureRootCertificates(Boolean(getOptionValue('--use-openssl-ca')),
  Boolean(getOptionValue('--use-system-ca')), process.env.NODE_EXTRA_CA_CERTS);

module.exports = {
  get TLSSocket() { return require('internal/tls/socket').TLSSocket; },
  get Server() { return require('internal/tls/server').Server; },
  get createServer() { return require('internal/tls/server').createServer; },
  get connect() { return require('internal/tls/connect').connect; },
};
