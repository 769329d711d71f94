'use strict';
// Questions to name servers: dns.Resolver, dns.promises.Resolver, and the functions of both modules.

const {
  DNSException,
  codes: {
    ERR_DNS_SET_SERVERS_FAILED, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_IP_ADDRESS,
  },
} = require('internal/errors');
const { assignFunctionName } = require('internal/util');
const { AnyType } = require('internal/native/enums');
const { begin, table } = require('internal/native/requests');
const { observed } = require('internal/dns/lookup');
const { denial } = require('internal/process/permission');
const { isIP } = require('internal/net/address');
const { setImmediate } = require('internal/timers');
const {
  validateArray, validateFunction, validateInt32, validatePort, validateString, validateUint32,
} = require('internal/validators');

const EINVAL = -22;
const kPort = 53;

// Objects of the flat array of fields that C++ gives, each with `last` after its fields.
function toObjects(fields, keys, last) {
  const records = [];
  for (let i = 0; i < fields.length; i += keys.length) {
    const record = {};
    for (let k = 0; k < keys.length; k++) record[keys[k]] = fields[i + k];
    records.push(Object.assign(record, last));
  }
  return records;
}

// Node names the type in records of some types, and has an empty property in others.
const asObjects = (type, ...keys) => (fields) => toObjects(fields, keys, { type });
const asTheyAre = (fields) => fields;

function toAddresses(fields, withTtl) {
  const records = toObjects(fields, ['address', 'ttl']);
  return withTtl ? records : records.map(({ address }) => address);
}

function toCaa(fields) {
  return toObjects(fields, ['critical', 'tag', 'value']).map(({ critical, tag, value }) => ({
    critical, type: 'CAA', [tag]: value,
  }));
}

const kNaptrKeys = ['flags', 'service', 'regexp', 'replacement', 'order', 'preference'];
const kSoaKeys = ['nsname', 'hostmaster', 'serial', 'refresh', 'retry', 'expire', 'minttl'];

function toTlsa(fields) {
  return toObjects(fields, ['certUsage', 'selector', 'match', 'data']);
}

// How the fields of each type are read where any type was asked for.
const kAnyReaders = {
  __proto__: null,
  a: asObjects('A', 'address', 'ttl'),
  cname: asObjects('CNAME', 'value'),
  aaaa: asObjects('AAAA', 'address', 'ttl'),
  mx: asObjects('MX', 'exchange', 'priority'),
  ns: asObjects('NS', 'value'),
  txt: asObjects('TXT', 'entries'),
  srv: asObjects('SRV', 'name', 'port', 'priority', 'weight'),
  ptr: asObjects('PTR', 'value'),
  naptr: asObjects('NAPTR', ...kNaptrKeys),
  soa: asObjects('SOA', ...kSoaKeys),
  tlsa: toTlsa,
  caa: toCaa,
};

function toAny(fieldsByType) {
  return Object.keys(AnyType).flatMap((type) => kAnyReaders[type](fieldsByType[AnyType[type]]));
}

// By method: [what error.syscall names, the type for C++, how to read the fields]
const kQueries = {
  __proto__: null,
  resolveAny: ['queryAny', 'ANY', toAny],
  resolve4: ['queryA', 'A', toAddresses],
  resolve6: ['queryAaaa', 'AAAA', toAddresses],
  resolveCaa: ['queryCaa', 'CAA', toCaa],
  resolveCname: ['queryCname', 'CNAME', asTheyAre],
  resolveMx: ['queryMx', 'MX', asObjects('MX', 'exchange', 'priority')],
  resolveNs: ['queryNs', 'NS', asTheyAre],
  resolveTlsa: ['queryTlsa', 'TLSA', toTlsa],
  resolveTxt: ['queryTxt', 'TXT', asTheyAre],
  resolveSrv: ['querySrv', 'SRV', asObjects('SRV', 'name', 'port', 'priority', 'weight')],
  resolvePtr: ['queryPtr', 'PTR', asTheyAre],
  resolveNaptr: ['queryNaptr', 'NAPTR', asObjects(undefined, ...kNaptrKeys)],
  resolveSoa: ['querySoa', 'SOA', (fields) => toObjects(fields, kSoaKeys, { type: undefined })[0]],
  reverse: ['getHostByAddr', 'reverse', asTheyAre],
};

class QueryReqWrap {
  constructor(properties) {
    Object.assign(this, properties);
  }
}

// Begins; calls back (error, result). Returns the request.
function ask(resolver, method, name, withTtl, callback) {
  const [bindingName, type, read] = kQueries[method];
  if (method === 'reverse' && isIP(name) === 0) throw new DNSException(EINVAL, bindingName, name);
  const finish = observed(bindingName, { host: name, ttl: withTtl }, (result) => ({ result }), (failure, result) => {
    if (failure !== null) callback(new DNSException(failure, bindingName, name));
    else callback(null, result);
  });
  const request = new QueryReqWrap({
    bindingName,
    callback,
    hostname: name,
    ttl: withTtl,
    oncomplete(failure, fields) {
      finish(failure, failure === null ? read(fields, withTtl) : undefined);
    },
  });
  const denied = denial('net', name);
  if (denied !== undefined) {
    setImmediate(() => request.oncomplete(denied));
    return request;
  }
  const number = begin(request, 'QUERYWRAP');
  resolver._handle.query(table(), number, type, name);
  return request;
}

// ---- What both kinds of resolvers have ----

// "address", "address:port" or "[address]:port" as C++ takes it.
function checkServer(server, index) {
  validateString(server, `servers[${index}]`);
  if (isIP(server) !== 0) return isIP(server) === 6 ? `[${server}]:${kPort}` : `${server}:${kPort}`;
  const [, inBrackets, afterBrackets] = /^\[([^[\]]*)\](?::(\d+))?/.exec(server) ?? [];
  const [, plain, afterPlain] = /^(.+?)(?::(\d+))?$/.exec(server) ?? [];
  const isBracketed = inBrackets !== undefined && isIP(inBrackets) !== 0;
  const address = isBracketed ? inBrackets : plain;
  const version = address === undefined ? 0 : isIP(address);
  if (version === 0) throw new ERR_INVALID_IP_ADDRESS(server);
  const port = Number.parseInt(isBracketed ? afterBrackets : afterPlain) || kPort;
  validatePort(port);
  return version === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}

class ResolverBase {
  constructor(options = undefined) {
    const { timeout = -1, tries = 4, maxTimeout = 0 } = { ...options };
    validateInt32(timeout, 'options.timeout', -1);
    validateInt32(tries, 'options.tries', 1);
    validateUint32(maxTimeout, 'options.maxTimeout');
    this._handle = new (binding('dns_resolver').Channel)(timeout, tries, maxTimeout);
  }

  cancel() {
    this._handle.cancel();
  }

  getServers() {
    return this._handle.getServers() ?? [];
  }

  setServers(servers) {
    validateArray(servers, 'servers');
    const checked = new Set();
    servers.forEach((server, index) => checked.add(checkServer(server, index))); // passes over holes
    const status = this._handle.setServers([...checked]);
    if (status !== 0) throw new ERR_DNS_SET_SERVERS_FAILED('There are pending queries.', servers);
  }

  setLocalAddress(ipv4, ipv6) {
    validateString(ipv4, 'ipv4');
    if (ipv6 !== undefined) validateString(ipv6, 'ipv6');
    const first = isIP(ipv4);
    const second = ipv6 === undefined ? 10 - first : isIP(ipv6);
    if (first === 0 || second === 0) throw plainValueError('Invalid IP address.');
    if (first === second) throw plainValueError(`Cannot specify two IPv${first} addresses.`);
    this._handle.setLocalAddress(ipv4);
    this._handle.setLocalAddress(ipv6 ?? (first === 4 ? '::' : '0.0.0.0'));
  }
}

function plainValueError(message) {
  const error = new TypeError(message);
  error.code = 'ERR_INVALID_ARG_VALUE';
  return error;
}

// By the type of records: the name of the method.
const kMethodOfType = {
  __proto__: null, A: 'resolve4', AAAA: 'resolve6', ANY: 'resolveAny', CAA: 'resolveCaa', CNAME: 'resolveCname', MX: 'resolveMx',
  NAPTR: 'resolveNaptr', NS: 'resolveNs', PTR: 'resolvePtr', SOA: 'resolveSoa', SRV: 'resolveSrv', TLSA: 'resolveTlsa',
  TXT: 'resolveTxt',
};

function methodOfType(rrtype) {
  if (typeof rrtype !== 'string') throw new ERR_INVALID_ARG_TYPE('rrtype', 'string', rrtype);
  const method = kMethodOfType[rrtype];
  if (method === undefined) throw new ERR_INVALID_ARG_VALUE('rrtype', rrtype);
  return method;
}

// ---- With callbacks ----

class Resolver extends ResolverBase {}

function withCallback(method) {
  return assignFunctionName(kQueries[method][0], function(name, callback) {
    let options;
    if (arguments.length > 2) {
      options = callback;
      callback = arguments[2];
    }
    validateString(name, 'name');
    validateFunction(callback, 'callback');
    return ask(this, method, name, Boolean(options?.ttl), callback);
  });
}

// ---- With promises ----

class PromisesResolver extends ResolverBase {}
Object.defineProperty(PromisesResolver, 'name', { __proto__: null, value: 'Resolver', configurable: true });

function askForPromise(resolver, method, name, options) {
  validateString(name, 'name');
  return new Promise((resolve, reject) => {
    ask(resolver, method, name, Boolean(options?.ttl), (error, result) => {
      if (error) reject(error);
      else resolve(result);
    });
  });
}

function withPromise(method) {
  return assignFunctionName(kQueries[method][0], function(name, options) {
    return askForPromise(this, method, name, options);
  });
}

for (const method of Object.keys(kQueries)) {
  Resolver.prototype[method] = withCallback(method);
  PromisesResolver.prototype[method] = withPromise(method);
}

Resolver.prototype.resolve = function resolve(hostname, rrtype, callback) {
  if (typeof rrtype === 'function') return this.resolve4(hostname, rrtype);
  return this[methodOfType(rrtype)](hostname, callback);
};

PromisesResolver.prototype.resolve = function resolve(hostname, rrtype) {
  return askForPromise(this, rrtype === undefined ? 'resolve4' : methodOfType(rrtype), hostname);
};

// ---- The functions of the modules: all ask with one resolver ----

let shared;

const kShared = ['getServers', 'resolve', ...Object.keys(kQueries).sort()];

// Each function finds the shared resolver when it is called: it is not to be made before.
function boundTo(prototype) {
  const functions = {};
  for (const name of kShared) {
    const method = prototype[name];
    functions[name] = assignFunctionName(`bound ${method.name}`, (...args) => {
      shared ??= new Resolver();
      return Reflect.apply(method, shared, args);
    });
    Object.defineProperty(functions[name], 'length', { __proto__: null, value: method.length, configurable: true });
  }
  return functions;
}

// A new resolver: queries in progress continue with the old servers.
function defaultResolverSetServers(servers) {
  const next = new Resolver();
  next.setServers(servers);
  shared = next;
}

module.exports = { PromisesResolver, Resolver, boundTo, setServers: defaultResolverSetServers };
