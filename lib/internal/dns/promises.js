'use strict';
// dns.promises: lookup and lookupService.

const { DNSException, codes: { ERR_INVALID_ARG_TYPE, ERR_MISSING_ARGS } } = require('internal/errors');
const {
  checkOptions, checkService, knownAtOnce, startLookup, startService, toAddresses,
} = require('internal/dns/lookup');
const { validateString } = require('internal/validators');

function lookup(hostname, options) {
  if (hostname) validateString(hostname, 'hostname');
  if (options !== null && options !== undefined && typeof options !== 'object' &&
      typeof options !== 'number') {
    throw new ERR_INVALID_ARG_TYPE('options', ['integer', 'object'], options);
  }
  const checked = checkOptions(options);
  let known;
  try {
    known = knownAtOnce(hostname, checked);
  } catch (error) {
    return Promise.reject(error);
  }
  if (known !== undefined) {
    const [address, family] = known;
    return Promise.resolve(checked.all ? address : { address, family });
  }
  return new Promise((resolve, reject) => {
    startLookup(hostname, checked, (status, flat) => {
      if (status !== null) {
        reject(new DNSException(status, 'getaddrinfo', hostname));
        return;
      }
      const addresses = toAddresses(flat);
      resolve(checked.all ? addresses : addresses[0]);
    });
  });
}

function lookupService(address, port) {
  if (arguments.length !== 2) throw new ERR_MISSING_ARGS('address', 'port');
  checkService(address, port);
  return new Promise((resolve, reject) => {
    startService(address, +port, (status, found) => {
      if (status !== null) reject(new DNSException(status, 'getnameinfo', address));
      else resolve({ hostname: found[0], service: found[1] });
    });
  });
}

module.exports = { lookup, lookupService };
