'use strict';
// The handles in C++ that are open (sockets, servers, pipes, terminals, children), in the order in
// which they were opened.

const { SafeMap, SafeSet, SafeWeakMap } = require('internal/util/safe');

const handles = new SafeMap();
const childPipes = new SafeWeakMap(); // handle -> { child, index }: which of its descriptors leads there
const pipePaths = new SafeWeakMap(); // handle of a local server, or of a connection to one -> its path
const statWatchers = new SafeSet(); // of fs.watchFile(): C++ has nothing but their timers and requests
let watcher; // for the lens: { opened(handle, type), closed(handle) }

// `owner` finds the object of the program's that the handle belongs to; `type` is what async_hooks
// calls it.
function addHandle(handle, name, owner, type) {
  handles.set(handle, { handle, name, owner, type });
  watcher?.opened(handle, type);
}

function removeHandle(handle) {
  if (handles.delete(handle)) watcher?.closed(handle);
}

function openHandles() {
  return [...handles.values()];
}

function ownerOf(handle) {
  return handles.get(handle)?.owner(handle);
}

// Whether a handle has this descriptor, and will close it.
function hasDescriptor(fd) {
  for (const { handle } of handles.values()) {
    if (handle.fd === fd) return true;
  }
  return false;
}

// Another process gets the descriptor: a server continues to listen there when it is closed here.
function shareDescriptor(fd) {
  for (const { handle } of handles.values()) {
    if (handle.fd === fd) handle.share?.();
  }
}

function setHandleWatcher(value) {
  watcher = value;
}

module.exports = {
  addHandle, childPipes, hasDescriptor, openHandles, ownerOf, pipePaths, removeHandle, setHandleWatcher, shareDescriptor,
  statWatchers,
};
