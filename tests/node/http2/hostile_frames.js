'use strict';
// Frames against the rules: each ends the connection, with a reason.
const { attack, frame, get, number } = require('./fixtures/raw');

const cases = [
  ['data on stream 0', {}, [frame('DATA', 0, 0, Buffer.from('x'))]],
  ['headers on stream 0', {}, [frame('HEADERS', 5, 0, get)]],
  ['even stream', {}, [frame('HEADERS', 5, 2, get)]],
  ['data on an idle stream', {}, [frame('DATA', 0, 1, Buffer.from('x'))]],
  ['settings of 5 bytes', {}, [frame('SETTINGS', 0, 0, Buffer.alloc(5))]],
  ['settings acknowledged with a body', {}, [frame('SETTINGS', 1, 0, Buffer.alloc(6))]],
  ['ping of 7 bytes', {}, [frame('PING', 0, 0, Buffer.alloc(7))]],
  ['unasked ping answer', {}, [frame('PING', 1, 0, Buffer.alloc(8))]],
  ['window update of 0', {}, [frame('WINDOW_UPDATE', 0, 0, number(0))]],
  ['window overflow', {}, [frame('WINDOW_UPDATE', 0, 0, number(2 ** 31 - 1))]],
  ['continuation alone', {}, [frame('CONTINUATION', 4, 1, get)]],
  ['bad hpack', {}, [frame('HEADERS', 5, 1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff]))]],
  ['too large a frame', {}, [frame('DATA', 0, 0, Buffer.alloc(16385))]],
  ['padding too long', {}, [frame('HEADERS', 5, 1, get), frame('DATA', 8, 1, Buffer.from([9, 1]))]],
  ['push by a client', {}, [frame('PUSH_PROMISE', 4, 1, Buffer.concat([number(2), get]))]],
];
(function next() {
  const one = cases.shift();
  if (one) attack(...one, next);
})();
