'use strict';
// net.BlockList: rules about addresses. It can be cloned.
//
// Addresses are compared as numbers of 128 bits, those of IPv4 as IPv6 maps them (::ffff:1.2.3.4).
// So a rule for one family is one for the mapped addresses of the other.

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE },
} = require('internal/errors');
const { isIP, parseAddress } = require('internal/net/address');
const { SocketAddress, inspectAs, isSocketAddress } = require('internal/net/socket_address');
const { kClone, kDeserialize, makeTransferable } = require('internal/messaging/transferable');
const { SafeMap } = require('internal/util/safe');
const { validateArray, validateInt32, validateString } = require('internal/validators');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kAddresses = Symbol('kAddresses'); // a map from the number to its rule
const kSubnets = Symbol('kSubnets'); // lists, the oldest first
const kRanges = Symbol('kRanges');

const kBits = 128;
const kMappedBits = 96; // what comes before a mapped address of IPv4

const kAddressRule = /^Address: IPv([46]) (\S+)$/;
const kSubnetRule = /^Subnet: IPv([46]) (\S+)\/(\d+)$/;
const kRangeRule = /^Range: IPv([46]) ([^\s-]+)-([^\s-]+)$/;

function isBlockList(value) {
  return value?.[kAddresses] !== undefined;
}

function toSocketAddress(address, family, name) {
  if (isSocketAddress(address)) return address;
  validateString(address, name);
  validateString(family, 'family');
  return new SocketAddress({ address, family });
}

function numberOf({ address }) {
  return parseAddress(address);
}

function nameOf({ family }) {
  return family === 'ipv6' ? 'IPv6' : 'IPv4';
}

function addressRule(address) {
  return { text: `Address: ${nameOf(address)} ${address.address}`, number: numberOf(address) };
}

function subnetRule(network, prefix) {
  const isV6 = network.family === 'ipv6';
  validateInt32(prefix, 'prefix', 0, isV6 ? kBits : kBits - kMappedBits);
  const shift = BigInt(isV6 ? kBits - prefix : kBits - kMappedBits - prefix);
  return {
    text: `Subnet: ${nameOf(network)} ${network.address}/${prefix}`,
    shift,
    number: numberOf(network) >> shift,
  };
}

function isMapped(number) {
  return number >> 32n === 0xffffn;
}

// A range that has more than mapped addresses has no address of IPv4 in it.
function rangeRule(startAddress, endAddress) {
  const start = numberOf(startAddress);
  const end = numberOf(endAddress);
  return {
    text: `Range: ${nameOf(startAddress)} ${startAddress.address}-${endAddress.address}`,
    start,
    end,
    holdsV4: isMapped(start) && isMapped(end),
  };
}

function cidrRule(cidr, name) {
  validateString(cidr, name);
  const slash = cidr.lastIndexOf('/');
  if (slash === -1) {
    throw new ERR_INVALID_ARG_VALUE('cidr', cidr, 'must contain a prefix length (e.g. "10.0.0.0/8")');
  }
  const digits = cidr.slice(slash + 1);
  const prefix = Number(digits);
  if (!Number.isInteger(prefix) || `${prefix}` !== digits) {
    throw new ERR_INVALID_ARG_VALUE('cidr', cidr, 'prefix length must be a valid integer');
  }
  const address = cidr.slice(0, slash);
  return subnetRule(new SocketAddress({ address, family: address.includes(':') ? 'ipv6' : 'ipv4' }), prefix);
}

// The newest of those that say the same.
function removeRule(rules, { text }) {
  const index = rules.findLastIndex((rule) => rule.text === text);
  if (index !== -1) rules.splice(index, 1);
}

function newestFirst(rules) {
  return Array.from(rules, ({ text }) => text).reverse();
}

class BlockList {
  static PRIVATE_RANGES = Object.freeze([
    '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8', '::1/128', '169.254.0.0/16',
    'fe80::/10', 'fc00::/7',
  ]);

  static isBlockList(value) {
    return isBlockList(value);
  }

  constructor() {
    const self = makeTransferable(new.target);
    self[kAddresses] = new SafeMap();
    self[kSubnets] = [];
    self[kRanges] = [];
    return self;
  }

  addAddress(address, family = 'ipv4') {
    const rule = addressRule(toSocketAddress(address, family, 'address'));
    this[kAddresses].set(rule.number, rule);
  }

  // All of them, or none if one is wrong.
  addAddresses(addresses, family = 'ipv4') {
    validateArray(addresses, 'addresses');
    const rules = addresses.map((address, index) => {
      return addressRule(toSocketAddress(address, family, `addresses[${index}]`));
    });
    for (const rule of rules) this[kAddresses].set(rule.number, rule);
  }

  addRange(start, end, family = 'ipv4') {
    start = toSocketAddress(start, family, 'start');
    end = toSocketAddress(end, family, 'end');
    const rule = rangeRule(start, end);
    if (start.family === end.family && rule.start > rule.end) {
      throw new ERR_INVALID_ARG_VALUE('start', start, 'must come before end');
    }
    this[kRanges].push(rule);
  }

  addSubnet(network, prefix, family = 'ipv4') {
    this[kSubnets].push(subnetRule(toSocketAddress(network, family, 'network'), prefix));
  }

  addCIDR(cidr) {
    this[kSubnets].push(cidrRule(cidr, 'cidr'));
  }

  // All of them, or none if one is wrong.
  addCIDRs(cidrs) {
    validateArray(cidrs, 'cidrs');
    this[kSubnets].push(...cidrs.map((cidr, index) => cidrRule(cidr, `cidrs[${index}]`)));
  }

  removeAddress(address, family = 'ipv4') {
    this[kAddresses].delete(numberOf(toSocketAddress(address, family, 'address')));
  }

  removeRange(start, end, family = 'ipv4') {
    removeRule(this[kRanges],
      rangeRule(toSocketAddress(start, family, 'start'), toSocketAddress(end, family, 'end')));
  }

  removeSubnet(network, prefix, family = 'ipv4') {
    removeRule(this[kSubnets], subnetRule(toSocketAddress(network, family, 'network'), prefix));
  }

  removeCIDR(cidr) {
    removeRule(this[kSubnets], cidrRule(cidr, 'cidr'));
  }

  check(address, family = 'ipv4') {
    if (isSocketAddress(address)) {
      ({ address, family } = address);
    } else {
      validateString(address, 'address');
      validateString(family, 'family');
    }
    const version = isIP(address);
    if (version === 0 || family.toLowerCase() !== `ipv${version}`) return false;
    const number = parseAddress(address);
    return this[kAddresses].has(number) ||
      this[kSubnets].some((rule) => number >> rule.shift === rule.number) ||
      this[kRanges].some(({ start, end, holdsV4 }) => {
        return number >= start && number <= end && (holdsV4 || version === 6);
      });
  }

  clear() {
    this[kAddresses].clear();
    this[kSubnets].length = 0;
    this[kRanges].length = 0;
  }

  toJSON() {
    return this.rules;
  }

  // Takes the result of toJSON(), or its text. Ignores entries that are not rules.
  fromJSON(data) {
    if (typeof data === 'string') data = JSON.parse(data);
    if (!Array.isArray(data) || data.some((item) => typeof item !== 'string')) {
      throw new ERR_INVALID_ARG_TYPE('data', ['string', 'string[]'], data);
    }
    for (const item of data) {
      const [, version, first, second] =
        kAddressRule.exec(item) ?? kSubnetRule.exec(item) ?? kRangeRule.exec(item) ?? [];
      if (version === undefined || isIP(first) !== Number(version)) continue;
      if (second === undefined) this.addAddress(first, `ipv${version}`);
      else if (item.startsWith('Subnet')) this.addSubnet(first, Number(second), `ipv${version}`);
      else if (isIP(second) === Number(version)) this.addRange(first, second, `ipv${version}`);
    }
  }

  get rules() {
    return [
      ...newestFirst(this[kAddresses].values()), ...newestFirst(this[kSubnets]),
      ...newestFirst(this[kRanges]),
    ];
  }

  get size() {
    return this[kAddresses].size + this[kSubnets].length + this[kRanges].length;
  }

  [kInspect](depth, options) {
    return inspectAs('BlockList', { rules: this.rules }, depth, options);
  }

  [kClone]() {
    return {
      data: [[...this[kAddresses].values()], this[kSubnets], this[kRanges]],
      deserializeInfo: 'internal/net/block_list:BlockList',
    };
  }

  [kDeserialize]([addresses, subnets, ranges]) {
    for (const rule of addresses) this[kAddresses].set(rule.number, rule);
    this[kSubnets] = subnets;
    this[kRanges] = ranges;
  }
}

module.exports = { BlockList, isBlockList };
