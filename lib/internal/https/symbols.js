'use strict';

module.exports = {
  // Of options and sockets: a number for each request that checks the name of the server itself.
  kPerRequestIdentity: Symbol('per-request checkServerIdentity'),
};
