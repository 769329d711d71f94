'use strict';
// What keeps the program running, by name: process.getActiveResourcesInfo() and its old relatives.

const { activeRequests } = require('internal/requests');
const { openHandles } = require('internal/open_handles');

function refedHandles() {
  return openHandles().filter(({ handle }) => handle.hasRef());
}

function getActiveHandles() {
  return refedHandles().map(({ handle, owner }) => owner(handle) ?? handle);
}

function getActiveRequests() {
  return activeRequests();
}

function getActiveResourcesInfo() {
  const { timeouts, immediates } = require('internal/timers').countActive();
  return [
    ...activeRequests().map(({ constructor }) => constructor.name),
    ...refedHandles().map(({ name }) => name),
    ...new Array(timeouts).fill('Timeout'),
    ...new Array(immediates).fill('Immediate'),
  ];
}

module.exports = { getActiveHandles, getActiveRequests, getActiveResourcesInfo };
