'use strict';
// node:dns/promises.

const { getDefaultResultOrder, setDefaultResultOrder } = require('internal/dns/lookup');

module.exports = {
  ...require('internal/dns/promises'),
  getDefaultResultOrder,
  setDefaultResultOrder,
  ...require('internal/dns/codes'),
};
