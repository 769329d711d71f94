'use strict';
const { timingSafeEqual } = require('node:crypto');

function attempt(a, b) {
  try {
    console.log(timingSafeEqual(a, b));
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
attempt(Buffer.from('abc'), Buffer.from('abc'));
attempt(Buffer.from('abc'), Buffer.from('abd'));
attempt(Buffer.from('abc'), Buffer.from('ab'));
attempt(Buffer.alloc(0), new ArrayBuffer(0));
attempt(new Uint16Array([1]), Buffer.from([1, 0]));
attempt(new DataView(new ArrayBuffer(2), 1), new SharedArrayBuffer(1));
attempt(Buffer.alloc(1000), Buffer.alloc(1000));
attempt('a', Buffer.alloc(1));
attempt(Buffer.alloc(1), 'a');
attempt();
console.log(timingSafeEqual.name, timingSafeEqual.length);
