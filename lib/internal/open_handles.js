'use strict';
// The handles in C++ that are open (sockets, servers, pipes, terminals, children), in the order in
// which they were opened.

const handles = new Map();
let watcher; // for the lens: { opened(handle), closed(handle) }

// `owner` finds the object of the program's that the handle belongs to.
function addHandle(handle, name, owner) {
  handles.set(handle, { handle, name, owner });
  watcher?.opened(handle);
}

function removeHandle(handle) {
  if (handles.delete(handle)) watcher?.closed(handle);
}

function openHandles() {
  return [...handles.values()];
}

function setHandleWatcher(value) {
  watcher = value;
}

module.exports = { addHandle, openHandles, removeHandle, setHandleWatcher };
