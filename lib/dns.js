'use strict';
// node:dns: names by the C library (lookup, lookupService) and by name servers.

const {
  ADDRCONFIG, ALL, V4MAPPED, getDefaultResultOrder, lookup, lookupService, setDefaultResultOrder,
} = require('internal/dns/lookup');
const { Resolver, boundTo, setServers } = require('internal/dns/resolver');

module.exports = {
  lookup,
  lookupService,
  Resolver,
  getDefaultResultOrder,
  setDefaultResultOrder,
  setServers,
  ADDRCONFIG,
  ALL,
  V4MAPPED,
  ...require('internal/dns/codes'),
  ...boundTo(Resolver.prototype),
};

Object.defineProperty(module.exports, 'promises', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() { return require('dns/promises'); },
});
