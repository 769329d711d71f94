'use strict';
// The channels of node:diagnostics_channel that somebody listens to, by name. What publishes without
// wanting to load that module looks here.

module.exports = { activeChannels: new Map() };
