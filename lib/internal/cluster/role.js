'use strict';
// What node:net and node:dgram ask before they listen: `child` is node:cluster in a worker of it.

module.exports = { child: undefined };
