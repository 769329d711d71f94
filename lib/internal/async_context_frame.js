'use strict';
// The stores of every AsyncLocalStorage, as they are in one context: a list of storages, and the store of each. A frame
// is never changed, but replaced by a copy, because tasks that wait share it; disable() is the exception, as in Node.
//
// A program has few storages: looking through the list is faster than a Map.

const { currentFrame, setFrame, useFrames } = require('internal/async_hooks');

class AsyncContextFrame {
  constructor(storages, stores) {
    this.storages = storages;
    this.stores = stores;
    this.isChanged = false;
  }
}

function indexIn(frame, storage) {
  const { storages } = frame;
  for (let i = 0; i < storages.length; i++) {
    if (storages[i] === storage) return i;
  }
  return -1;
}

function getStore(storage, otherwise) {
  const frame = currentFrame();
  if (frame === undefined) return otherwise;
  const index = indexIn(frame, storage);
  return index === -1 ? otherwise : frame.stores[index];
}

function enter(storage, store) {
  useFrames();
  const outer = currentFrame();
  if (outer === undefined) {
    const frame = new AsyncContextFrame([storage], [store]);
    setFrame(frame);
    return frame;
  }
  const storages = [];
  const stores = [];
  for (let i = 0; i < outer.storages.length; i++) {
    if (outer.storages[i] === storage) continue;
    storages[storages.length] = outer.storages[i];
    stores[stores.length] = outer.stores[i];
  }
  storages[storages.length] = storage;
  stores[stores.length] = store;
  const frame = new AsyncContextFrame(storages, stores);
  setFrame(frame);
  return frame;
}

// Calls with another store. What the callback has entered of other storages stays.
function run(storage, store, prior, callback, args) {
  const outer = currentFrame();
  const inner = enter(storage, store);
  try {
    return Reflect.apply(callback, null, args);
  } finally {
    if (currentFrame() === inner && !inner.isChanged) setFrame(outer);
    else enter(storage, prior);
  }
}

// For all that share the frame.
function disable(storage) {
  const frame = currentFrame();
  if (frame === undefined) return;
  const index = indexIn(frame, storage);
  if (index === -1) return;
  frame.isChanged = true;
  frame.storages.splice(index, 1);
  frame.stores.splice(index, 1);
}

module.exports = { current: currentFrame, disable, enter, getStore, run };
