'use strict';
// Writing a whole message, head and body, straight to the kernel. A socket's own queue is for what
// has to wait; a message that is complete at once, on a socket that has nothing to send, need not
// pass through it. What the kernel does not take goes the usual way.

const { Socket } = require('internal/net/socket');

const kAll = -1;

// `then(message, error)` is called in a tick, as a Writable would do.
function writeNow(socket, head, body, encoding, message, then) {
  const isText = typeof body === 'string';
  const text = isText ? head + body : head;
  const bytes = isText ? undefined : body;
  const isLatin1 = encoding === 'latin1' || !isText;
  socket._unrefTimer();
  const written = socket._handle.tryWriteString(text, isLatin1, bytes);
  if (written === kAll) {
    process.nextTick(then, message);
    return;
  }
  let rest = Buffer.from(text, isLatin1 ? 'latin1' : 'utf8');
  if (!isText) rest = Buffer.concat([rest, bytes]);
  socket.write(rest.subarray(written), (error) => then(message, error));
}

// Whether nothing waits in the socket, and its write methods are the original ones.
writeNow.isPossible = function(socket) {
  if (socket === null || socket.write !== Socket.prototype.write || socket.connecting) return false;
  const handle = socket._handle;
  if (!handle || handle.tryWriteString === undefined || socket._write !== Socket.prototype._write) {
    return false;
  }
  const state = socket._writableState;
  return state.length === 0 && state.corked === 0 && !state.ending && !state.destroyed &&
    !state.errored;
};

module.exports = { writeNow };
