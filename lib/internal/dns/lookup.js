'use strict';
// dns.lookup and dns.lookupService: as every program of the system does it.

const {
  DNSException, codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_MISSING_ARGS },
} = require('internal/errors');
const { LookupHints, Order } = require('internal/native/enums');
const { begin, table } = require('internal/native/requests');
const { denial } = require('internal/process/permission');
const { isIP } = require('internal/net/address');
const { hasObserver, startPerf, stopPerf } = require('internal/perf/observe');
const {
  validateBoolean, validateFunction, validateNumber, validateOneOf, validatePort, validateString,
} = require('internal/validators');
const { customPromisifyArgs } = require('internal/util/promisify');

const { v4Mapped: V4MAPPED, all: ALL, addrConfig: ADDRCONFIG } = LookupHints;

const kOrders = {
  __proto__: null, verbatim: Order.verbatim, ipv4first: Order.ipv4First, ipv6first: Order.ipv6First,
};

let defaultOrder = 'verbatim';

function getDefaultResultOrder() {
  return defaultOrder;
}

function setOrder(value, name) {
  validateOneOf(value, name, ['verbatim', 'ipv4first', 'ipv6first']);
  defaultOrder = value;
}

function setDefaultResultOrder(value) {
  setOrder(value, 'dnsOrder');
}

class GetAddrInfoReqWrap {
  constructor(properties) {
    Object.assign(this, properties);
  }
}

class GetNameInfoReqWrap {
  constructor(properties) {
    Object.assign(this, properties);
  }
}

function validateHints(hints) {
  if ((hints & ~(ADDRCONFIG | ALL | V4MAPPED)) !== 0) {
    throw new ERR_INVALID_ARG_VALUE('hints', hints);
  }
}

const kFamilies = [0, 4, 6];

// Of a family, or an object, or nothing.
function checkOptions(options) {
  const checked = { hints: 0, family: 0, all: false, order: defaultOrder };
  if (options === null || typeof options !== 'object') {
    validateOneOf(options ?? 0, 'family', kFamilies);
    checked.family = options ?? 0;
    return checked;
  }
  if (options.hints != null) {
    validateNumber(options.hints, 'options.hints');
    checked.hints = options.hints >>> 0;
    validateHints(checked.hints);
  }
  if (options.family != null) {
    switch (options.family) {
      case 'IPv4':
        checked.family = 4;
        break;
      case 'IPv6':
        checked.family = 6;
        break;
      default:
        validateOneOf(options.family, 'options.family', kFamilies);
        checked.family = options.family;
    }
  }
  if (options.all != null) {
    validateBoolean(options.all, 'options.all');
    checked.all = options.all;
  }
  if (options.verbatim != null) {
    validateBoolean(options.verbatim, 'options.verbatim');
    checked.order = options.verbatim ? 'verbatim' : 'ipv4first';
  }
  if (options.order != null) {
    validateOneOf(options.order, 'options.order', ['ipv4first', 'ipv6first', 'verbatim']);
    checked.order = options.order;
  }
  return checked;
}

// What is known without asking: [address or addresses, family]; undefined if it has to be asked.
function knownAtOnce(hostname, { all }) {
  if (!hostname) throw new ERR_INVALID_ARG_VALUE('hostname', hostname, 'must be a non-empty string');
  const matched = isIP(hostname);
  if (matched === 0) return undefined;
  return all ? [[{ address: hostname, family: matched }]] : [hostname, matched];
}

function toAddresses(flat) {
  const addresses = [];
  for (let i = 0; i < flat.length; i += 2) addresses[i / 2] = { address: flat[i], family: flat[i + 1] };
  return addresses;
}

// Calls back and makes the entry for observers of 'dns': detail(result) describes the result.
function observed(name, given, detail, oncomplete) {
  if (!hasObserver('dns')) return oncomplete;
  const context = {};
  startPerf(context, 'entry', { type: 'dns', name, detail: given });
  return (status, result) => {
    oncomplete(status, result);
    if (status === null) stopPerf(context, 'entry', { detail: detail(result) });
  };
}

function startLookup(hostname, { all, family, hints, order }, whenDone) {
  const oncomplete = observed('lookup', { hostname, family, hints, verbatim: order === 'verbatim', order }, (flat) => {
    const addresses = toAddresses(flat);
    return { addresses: all ? addresses : addresses.map(({ address }) => address) };
  }, whenDone);
  const request = new GetAddrInfoReqWrap({ hostname, family, oncomplete });
  const denied = denial('net', hostname);
  if (denied !== undefined) {
    process.nextTick(oncomplete, denied);
    return request;
  }
  const number = begin(request, 'GETADDRINFOREQWRAP');
  binding('dns').lookup(table(), number, hostname, family, hints, kOrders[order]);
  return request;
}

function lookup(hostname, options, callback) {
  if (hostname) validateString(hostname, 'hostname');
  if (typeof options === 'function') {
    callback = options;
    options = 0;
  }
  validateFunction(callback, 'callback');
  if (options !== null && options !== undefined && typeof options !== 'object' &&
      typeof options !== 'number') {
    throw new ERR_INVALID_ARG_TYPE('options', ['integer', 'object'], options);
  }
  const checked = checkOptions(options);
  const known = knownAtOnce(hostname, checked);
  if (known !== undefined) {
    process.nextTick(callback, null, ...known);
    return {};
  }
  return startLookup(hostname, checked, (status, flat) => {
    if (status !== null) {
      callback(new DNSException(status, 'getaddrinfo', hostname));
      return;
    }
    const addresses = toAddresses(flat);
    if (checked.all) callback(null, addresses);
    else callback(null, addresses[0].address, addresses[0].family);
  });
}

Object.defineProperty(lookup, customPromisifyArgs, {
  __proto__: null, value: ['address', 'family'], enumerable: false,
});

function checkService(address, port) {
  if (isIP(address) === 0) throw new ERR_INVALID_ARG_VALUE('address', address);
  validatePort(port);
}

function startService(address, port, whenDone) {
  const oncomplete = observed('lookupService', { host: address, port },
    ([hostname, service]) => ({ hostname, service }), whenDone);
  const request = new GetNameInfoReqWrap({ hostname: address, port, oncomplete });
  const denied = denial('net', address);
  if (denied !== undefined) {
    process.nextTick(oncomplete, denied);
    return request;
  }
  const number = begin(request, 'GETNAMEINFOREQWRAP');
  binding('dns').lookupService(table(), number, address, port);
  return request;
}

function lookupService(address, port, callback) {
  if (arguments.length !== 3) throw new ERR_MISSING_ARGS('address', 'port', 'callback');
  checkService(address, port);
  validateFunction(callback, 'callback');
  return startService(address, +port, (status, found) => {
    if (status !== null) callback(new DNSException(status, 'getnameinfo', address));
    else callback(null, ...found);
  });
}

Object.defineProperty(lookupService, customPromisifyArgs, {
  __proto__: null, value: ['hostname', 'service'], enumerable: false,
});

module.exports = {
  ADDRCONFIG,
  ALL,
  V4MAPPED,
  checkOptions,
  checkService,
  getDefaultResultOrder,
  knownAtOnce,
  lookup,
  lookupService,
  observed,
  setDefaultResultOrder,
  setOrder,
  startLookup,
  startService,
  toAddresses,
};
