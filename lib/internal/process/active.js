'use strict';
// What keeps the program running, by name: process.getActiveResourcesInfo() and its old relatives.

const { activeRequests } = require('internal/native/requests');
const { openHandles } = require('internal/native/open_handles');

function refedHandles() {
  return openHandles().filter(({ handle }) => handle.hasRef());
}

function refedPorts() {
  const ports = binding('messaging').openPorts();
  return ports.filter((port) => require('internal/messaging/message_channel').isRefed(port));
}

function getActiveHandles() {
  return refedHandles().map(({ handle, owner }) => owner(handle) ?? handle);
}

function getActiveRequests() {
  return activeRequests();
}

// What Node calls these, where it is not the name of the class.
const kNames = {
  __proto__: null,
  PipeConnectWrap: 'ConnectWrap',
  TCPConnectWrap: 'ConnectWrap',
  WriteWrap: 'SimpleWriteWrap',
};

function getActiveResourcesInfo() {
  const { timeouts, immediates } = require('internal/timers').countActive();
  return [
    ...activeRequests().map(({ constructor: { name } }) => kNames[name] ?? name),
    ...refedHandles().map(({ name }) => name),
    ...refedPorts().map(() => 'MessagePort'),
    ...new Array(timeouts).fill('Timeout'),
    ...new Array(immediates).fill('Immediate'),
  ];
}

module.exports = { getActiveHandles, getActiveRequests, getActiveResourcesInfo };
