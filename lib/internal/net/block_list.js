'use strict';
// net.BlockList: rules about addresses. A clone has the same rules, also on another thread: what is added to one of them is in
// the other.
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
const kShared = Symbol('kShared'); // the rules as text that clones have in common, once there is one
const kVersion = Symbol('kVersion'); // of that text, which the lists are made of

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
  if (startAddress.family === endAddress.family && start > end) {
    throw new ERR_INVALID_ARG_VALUE('start', startAddress, 'must come before end');
  }
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

// ---- What clones have in common ----

// The oldest rules first, so that they can be added one by one.
function textOf(list) {
  const oldestFirst = (rules) => Array.from(rules, ({ text }) => text);
  return JSON.stringify([
    ...oldestFirst(list[kAddresses].values()), ...oldestFirst(list[kSubnets]), ...oldestFirst(list[kRanges]),
  ]);
}

function parseRule(text) {
  const [, version, first, second] = kAddressRule.exec(text) ?? kSubnetRule.exec(text) ?? kRangeRule.exec(text) ?? [];
  if (version === undefined || isIP(first) !== Number(version)) return undefined;
  const family = `ipv${version}`;
  const start = new SocketAddress({ address: first, family });
  if (second === undefined) return { kind: kAddresses, rule: addressRule(start) };
  if (text.startsWith('Subnet')) return { kind: kSubnets, rule: subnetRule(start, Number(second)) };
  if (isIP(second) !== Number(version)) return undefined;
  return { kind: kRanges, rule: rangeRule(start, new SocketAddress({ address: second, family })) };
}

function empty(list) {
  list[kAddresses].clear();
  list[kSubnets].length = 0;
  list[kRanges].length = 0;
}

// Others may have changed them.
function refresh(list) {
  const shared = list[kShared];
  if (shared === undefined || shared.version() === list[kVersion]) return;
  const [version, text] = shared.read();
  empty(list);
  for (const each of JSON.parse(text)) {
    const { kind, rule } = parseRule(each);
    if (kind === kAddresses) list[kAddresses].set(rule.number, rule);
    else list[kind].push(rule);
  }
  list[kVersion] = version;
}

// `step` changes the lists, and may be called again if another thread was faster.
function change(list, step) {
  for (;;) {
    refresh(list);
    step(list);
    const shared = list[kShared];
    if (shared === undefined) return;
    const version = list[kVersion];
    list[kVersion] = -1; // the lists are ahead of the text, or wrong
    if (shared.replace(version, textOf(list))) {
      list[kVersion] = (version + 1) >>> 0;
      return;
    }
  }
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
    self[kShared] = undefined;
    self[kVersion] = 0;
    return self;
  }

  addAddress(address, family = 'ipv4') {
    const rule = addressRule(toSocketAddress(address, family, 'address'));
    change(this, (list) => list[kAddresses].set(rule.number, rule));
  }

  // All of them, or none if one is wrong.
  addAddresses(addresses, family = 'ipv4') {
    validateArray(addresses, 'addresses');
    const rules = addresses.map((address, index) => {
      return addressRule(toSocketAddress(address, family, `addresses[${index}]`));
    });
    change(this, (list) => rules.forEach((rule) => list[kAddresses].set(rule.number, rule)));
  }

  addRange(start, end, family = 'ipv4') {
    start = toSocketAddress(start, family, 'start');
    end = toSocketAddress(end, family, 'end');
    const rule = rangeRule(start, end);
    change(this, (list) => list[kRanges].push(rule));
  }

  addSubnet(network, prefix, family = 'ipv4') {
    const rule = subnetRule(toSocketAddress(network, family, 'network'), prefix);
    change(this, (list) => list[kSubnets].push(rule));
  }

  addCIDR(cidr) {
    const rule = cidrRule(cidr, 'cidr');
    change(this, (list) => list[kSubnets].push(rule));
  }

  // All of them, or none if one is wrong.
  addCIDRs(cidrs) {
    validateArray(cidrs, 'cidrs');
    const rules = cidrs.map((cidr, index) => cidrRule(cidr, `cidrs[${index}]`));
    change(this, (list) => list[kSubnets].push(...rules));
  }

  removeAddress(address, family = 'ipv4') {
    const number = numberOf(toSocketAddress(address, family, 'address'));
    change(this, (list) => list[kAddresses].delete(number));
  }

  removeRange(start, end, family = 'ipv4') {
    const rule = rangeRule(toSocketAddress(start, family, 'start'), toSocketAddress(end, family, 'end'));
    change(this, (list) => removeRule(list[kRanges], rule));
  }

  removeSubnet(network, prefix, family = 'ipv4') {
    const rule = subnetRule(toSocketAddress(network, family, 'network'), prefix);
    change(this, (list) => removeRule(list[kSubnets], rule));
  }

  removeCIDR(cidr) {
    const rule = cidrRule(cidr, 'cidr');
    change(this, (list) => removeRule(list[kSubnets], rule));
  }

  check(address, family = 'ipv4') {
    if (isSocketAddress(address)) {
      ({ address, family } = address);
    } else {
      validateString(address, 'address');
      validateString(family, 'family');
    }
    const version = isIP(address);
    // A family with another name is taken for IPv6.
    if (version === 0 || (family.toLowerCase() === 'ipv4') !== (version === 4)) return false;
    refresh(this);
    const number = parseAddress(address);
    return this[kAddresses].has(number) ||
      this[kSubnets].some((rule) => number >> rule.shift === rule.number) ||
      this[kRanges].some(({ start, end, holdsV4 }) => {
        return number >= start && number <= end && (holdsV4 || version === 6);
      });
  }

  clear() {
    change(this, empty);
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
    for (const text of data) {
      const { kind, rule } = parseRule(text) ?? {};
      if (kind === kAddresses) change(this, (list) => list[kAddresses].set(rule.number, rule));
      else if (kind !== undefined) change(this, (list) => list[kind].push(rule));
    }
  }

  get rules() {
    refresh(this);
    return [
      ...newestFirst(this[kAddresses].values()), ...newestFirst(this[kSubnets]),
      ...newestFirst(this[kRanges]),
    ];
  }

  get size() {
    refresh(this);
    return this[kAddresses].size + this[kSubnets].length + this[kRanges].length;
  }

  [kInspect](depth, options) {
    return inspectAs('BlockList', { rules: this.rules }, depth, options);
  }

  [kClone]() {
    this[kShared] ??= new (binding('shared_text').SharedText)(textOf(this));
    return { data: this[kShared], deserializeInfo: 'internal/net/block_list:BlockList' };
  }

  [kDeserialize](shared) {
    this[kShared] = shared;
    this[kVersion] = -1;
  }
}

module.exports = { BlockList, isBlockList };
