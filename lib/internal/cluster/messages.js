'use strict';
// Messages between the primary and its workers: internal ones of the channel, numbered, so that an
// answer (`ack`) finds its callback.

const callbacks = new Map();
let count = 0;

// onFailure(): the other side has died, which its 'exit' event reports; without it that is an 'error' event.
function send(process, message, handle, callback, onFailure) {
  if (!process.connected) return false;
  const seq = count++;
  if (typeof callback === 'function') callbacks.set(seq, callback);
  if (onFailure === undefined) return process.send({ cmd: 'NODE_CLUSTER', ...message, seq }, handle);
  return process.send({ cmd: 'NODE_CLUSTER', ...message, seq }, handle, undefined, (error) => {
    if (!error) return;
    callbacks.delete(seq);
    onFailure();
  });
}

// A listener for 'internalMessage' that passes answers to their callbacks, and the rest on.
function receive(worker, onMessage) {
  return function(message, handle) {
    if (message.cmd !== 'NODE_CLUSTER') return;
    let listener = onMessage;
    if (message.ack !== undefined) {
      const callback = callbacks.get(message.ack);
      if (callback !== undefined) {
        listener = callback;
        callbacks.delete(message.ack);
      }
    }
    Reflect.apply(listener, worker, [message, handle]);
  };
}

module.exports = { receive, send };
