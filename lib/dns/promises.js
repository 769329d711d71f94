'use strict';
// node:dns/promises.

const { getDefaultResultOrder, setDefaultResultOrder } = require('internal/dns/lookup');
const { PromisesResolver, boundTo, setServers } = require('internal/dns/resolver');

module.exports = {
  ...require('internal/dns/promises'),
  Resolver: PromisesResolver,
  getDefaultResultOrder,
  setDefaultResultOrder,
  setServers: function defaultResolverSetServers(servers) { setServers(servers); },
  ...require('internal/dns/codes'),
  ...boundTo(PromisesResolver.prototype),
};
