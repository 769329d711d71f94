'use strict';
// net.SocketAddress: an address, a port, and for IPv6 a flow label. It can be cloned.

const {
  codes: { ERR_INVALID_ADDRESS, ERR_INVALID_ARG_VALUE, ERR_OUT_OF_RANGE },
} = require('internal/errors');
const { formatAddress, isIP, parseAddress } = require('internal/net/address');
const { kClone, kDeserialize, makeTransferable } = require('internal/messaging/transferable');
const {
  validateObject, validatePort, validateString, validateUint32,
} = require('internal/validators');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kDetail = Symbol('kDetail'); // { address, port, family, flowlabel }
const kMostFlowLabel = 2 ** 20 - 1;

function isSocketAddress(value) {
  return value?.[kDetail] !== undefined;
}

// What util.inspect() shows of an object with these properties, and deeper down only its name.
function inspectAs(name, properties, depth, options) {
  if (depth < 0) return `[${name}]`;
  const { inspect } = require('internal/util/inspect');
  const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
  return `${name} ${inspect(properties, inner)}`;
}

function normalize(options) {
  validateObject(options, 'options');
  const family = options.family === undefined ? 'ipv4' : options.family?.toLowerCase?.();
  if (family !== 'ipv4' && family !== 'ipv6') {
    throw new ERR_INVALID_ARG_VALUE('options.family', options.family);
  }
  const isV6 = family === 'ipv6';
  const { address = isV6 ? '::' : '127.0.0.1', port = 0, flowlabel = 0 } = options;
  validateString(address, 'options.address');
  validatePort(port, 'options.port');
  validateUint32(flowlabel, 'options.flowlabel');
  if (isIP(address) !== (isV6 ? 6 : 4)) throw new ERR_INVALID_ADDRESS();
  if (flowlabel > kMostFlowLabel) {
    throw new ERR_OUT_OF_RANGE('options.flowlabel', `>= 0 && <= ${kMostFlowLabel}`, flowlabel);
  }
  return {
    address: isV6 ? formatAddress(parseAddress(address)) : address,
    port: port | 0,
    family,
    flowlabel: isV6 ? flowlabel : 0,
  };
}

class SocketAddress {
  static isSocketAddress(value) {
    return isSocketAddress(value);
  }

  // "1.2.3.4", "1.2.3.4:80", "[::1]:80", as the host of a URL; undefined for anything else.
  static parse(input) {
    validateString(input, 'input');
    const { URL } = require('internal/url');
    const text = `http://${input}`;
    if (!URL.canParse(text)) return undefined;
    const { hostname, port } = new URL(text);
    const isV6 = hostname.startsWith('[');
    const address = isV6 ? hostname.slice(1, -1) : hostname;
    if (isIP(address) !== (isV6 ? 6 : 4)) return undefined;
    return new SocketAddress({ address, port: port | 0, family: isV6 ? 'ipv6' : 'ipv4' });
  }

  constructor(options = {}) {
    const self = makeTransferable(new.target);
    self[kDetail] = normalize(options);
    return self;
  }

  get address() {
    return this[kDetail].address;
  }

  get port() {
    return this[kDetail].port;
  }

  get family() {
    return this[kDetail].family;
  }

  get flowlabel() {
    return this[kDetail].flowlabel;
  }

  toJSON() {
    return { ...this[kDetail] };
  }

  [kInspect](depth, options) {
    return inspectAs('SocketAddress', this.toJSON(), depth, options);
  }

  [kClone]() {
    return {
      data: this[kDetail],
      deserializeInfo: 'internal/net/socket_address:SocketAddress',
    };
  }

  [kDeserialize](detail) {
    this[kDetail] = detail;
  }
}

module.exports = { SocketAddress, inspectAs, isSocketAddress };
