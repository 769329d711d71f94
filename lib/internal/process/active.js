'use strict';
// What keeps the program running, by name: process.getActiveResourcesInfo() and its old relatives.

const { activeRequests } = require('internal/native/requests');
const { openHandles, statWatchers } = require('internal/native/open_handles');

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

// A watcher of fs.watchFile() is one resource; what it is made of, a request or a timer, is not shown.
function countStatWatchers() {
  let looking = 0;
  let waiting = 0;
  for (const watcher of [...statWatchers]) {
    if (watcher.isLooking) looking++;
    else if (watcher.hasRef()) waiting++;
  }
  return { looking, waiting };
}

function getActiveResourcesInfo() {
  const { timeouts, immediates } = require('internal/timers').countActive();
  const { looking, waiting } = countStatWatchers();
  let hidden = looking;
  const names = activeRequests().map(({ constructor: { name } }) => kNames[name] ?? name);
  return [
    ...names.filter((name) => name !== 'FSReqCallback' || hidden-- <= 0),
    ...refedHandles().map(({ name }) => name),
    ...[...statWatchers].filter((watcher) => watcher.hasRef()).map(() => 'StatWatcher'),
    ...refedPorts().map(() => 'MessagePort'),
    ...new Array(Math.max(0, timeouts - waiting)).fill('Timeout'),
    ...new Array(immediates).fill('Immediate'),
  ];
}

module.exports = { countStatWatchers, getActiveHandles, getActiveRequests, getActiveResourcesInfo };
