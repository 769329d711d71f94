'use strict';
// The handles in C++ that are open (sockets, servers, pipes, terminals, children), in the order in
// which they were opened.

const handles = new Map();

// `owner` finds the object of the program's that the handle belongs to.
function addHandle(handle, name, owner) {
  handles.set(handle, { handle, name, owner });
}

function removeHandle(handle) {
  handles.delete(handle);
}

function openHandles() {
  return [...handles.values()];
}

function ownerOf(handle) {
  return handles.get(handle)?.owner(handle);
}

module.exports = { addHandle, openHandles, ownerOf, removeHandle };
