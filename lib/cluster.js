'use strict';
// node:cluster

module.exports = Object.hasOwn(process.env, 'NODE_UNIQUE_ID') ?
  require('internal/cluster/child') : require('internal/cluster/primary');
