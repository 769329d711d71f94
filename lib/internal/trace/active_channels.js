'use strict';
// The channels of node:diagnostics_channel that have subscribers, by name. What publishes without
// wanting to load that module looks here.

const activeChannels = new Map();
const watchers = new Map();

// Calls watch(isActive) when the channel of this name gets its first subscriber or loses its last, and at once if
// it has one.
function watchChannel(name, watch) {
  watchers.set(name, watch);
  if (activeChannels.has(name)) watch(true);
}

function setActive(channel) {
  activeChannels.set(channel.name, channel);
  watchers.get(channel.name)?.(true);
}

function setInactive(channel) {
  activeChannels.delete(channel.name);
  watchers.get(channel.name)?.(false);
}

const kTraceEvents = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];

// The TracingChannel of this name if it has subscribers, undefined otherwise.
function activeTracing(name) {
  if (activeChannels.size === 0) return undefined;
  for (let i = 0; i < kTraceEvents.length; i++) {
    if (activeChannels.has(`tracing:${name}:${kTraceEvents[i]}`)) {
      return require('diagnostics_channel').tracingChannel(name);
    }
  }
  return undefined;
}

module.exports = { activeChannels, activeTracing, setActive, setInactive, watchChannel };
