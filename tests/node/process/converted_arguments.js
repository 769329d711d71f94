// What cannot be converted is an error, and nothing is done.
'use strict';
const v8 = require('v8');
const attempt = (title, run) => {
  try {
    console.log(title, run());
  } catch ({ name, code, message }) {
    console.log(title, name, code, message);
  }
};
const throwing = { valueOf() { throw new RangeError('valueOf'); }, toString() { throw new RangeError('toString'); } };

// 0 would be the group of processes of this one.
for (const pid of [Symbol('s'), throwing]) attempt('_kill', () => process._kill(pid, 15));
attempt('signal', () => process._kill(process.pid, throwing));
attempt('title', () => { process.title = Symbol('s'); });
attempt('title', () => { process.title = throwing; });
for (const path of ['a\0b', Buffer.from('a\0b'), new URL('file:///a%00b'), 5]) attempt('writeHeapSnapshot', () => v8.writeHeapSnapshot(path));
// Both at once.
v8.setHeapSnapshotNearHeapLimit(1);
v8.setHeapProfileNearHeapLimit(1);
setTimeout(() => console.log('still here'), 10);
