'use strict';
// A reader that takes its time: nothing is made that it does not ask for.
const zlib = require('node:zlib');
const packed = zlib.gzipSync(Buffer.alloc(1e6, 'x'));
const stream = zlib.createGunzip();
stream.end(packed);
let total = 0;
let most = 0;
function step() {
  most = Math.max(most, stream.readableLength);
  const chunk = stream.read();
  if (chunk !== null) total += chunk.length;
  if (!stream.readableEnded) setImmediate(step);
  else console.log(total, most <= 3 * 65536);
}
setTimeout(step, 5);
