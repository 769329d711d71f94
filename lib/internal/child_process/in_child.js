'use strict';
// The child's side of fork(): connects `process` to the channel that NODE_CHANNEL_FD names, and makes
// a worker of node:cluster of the process if it is to be one.

const kCounted = new Set(['message', 'disconnect']);

function connectToParent() {
  const fd = Number.parseInt(process.env.NODE_CHANNEL_FD, 10);
  const mode = process.env.NODE_CHANNEL_SERIALIZATION_MODE || 'json';
  // Its own children do not inherit it.
  delete process.env.NODE_CHANNEL_FD;
  delete process.env.NODE_CHANNEL_SERIALIZATION_MODE;
  if (!(fd >= 0)) return;
  const { setUpChannel } = require('internal/child_process/channel');
  const { control } = setUpChannel(process, fd, mode);
  // A process that does not listen does not wait for messages.
  control.letGo();
  process.on('newListener', (name) => {
    if (kCounted.has(name)) control.refCounted();
  });
  process.on('removeListener', (name) => {
    if (kCounted.has(name)) control.unrefCounted();
  });
  becomeClusterWorker();
}

function becomeClusterWorker() {
  if (!process.argv[1] || !process.env.NODE_UNIQUE_ID) return;
  const cluster = require('cluster');
  require('internal/cluster/role').child = cluster;
  cluster._setupWorker();
  delete process.env.NODE_UNIQUE_ID;
}

module.exports = { connectToParent };
