'use strict';
// Below a callback, stacks show the functions that Node has there. (Frames of "node:" are not compared as they are.)
function caller(depth = 2) {
  return new Error('x').stack.split('\n').slice(depth).map((line) => line.trim().replace(/:\d+:\d+\)/, ')').replace(__filename, 'this file')).join(' | ');
}
process.nextTick(() => console.log('tick', caller(3)));
queueMicrotask(() => console.log('microtask', caller(3)));
(async () => {
  await null;
  console.log('await', caller(3));
})();
setImmediate(() => console.log('immediate', caller(3)));
setTimeout(() => console.log('timeout', caller(3)), 1);
