'use strict';
// The channels of node:diagnostics_channel that have subscribers, by name. What publishes without
// wanting to load that module looks here.

module.exports = { activeChannels: new Map() };
