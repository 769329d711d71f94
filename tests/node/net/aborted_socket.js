'use strict';
// A socket without a handle: 'close' has no argument. One whose signal was aborted before is not destroyed yet.
const net = require('net');

function watch(name, socket) {
  for (const event of ['error', 'resume', 'close']) {
    socket.on(event, (...values) => console.log(name, event, values.map((value) => value?.code ?? value)));
  }
  socket.on('data', () => {});
}

const aborted = new net.Socket({ signal: AbortSignal.abort() });
console.log(aborted.destroyed, aborted.closed, aborted.readableFlowing);
watch('aborted', aborted);

const controller = new AbortController();
const later = new net.Socket({ signal: controller.signal });
watch('later', later);
controller.abort();
console.log(later.destroyed);

watch('reset', new net.Socket().resetAndDestroy());

for (const signal of [1, 'x', {}, null]) {
  try {
    new net.Socket({ signal });
    console.log('accepted', signal);
  } catch ({ code, message }) {
    console.log(code, message);
  }
}
