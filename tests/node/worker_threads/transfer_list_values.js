'use strict';
// What a Worker makes of a transferList that is not an array.
const { Worker } = require('node:worker_threads');

for (const transferList of [5, 'text', {}, null, undefined, [], [new ArrayBuffer(1)], [1]]) {
  try {
    new Worker('', { eval: true, transferList });
    console.log(transferList, 'accepted');
  } catch ({ name, code, message }) {
    console.log(transferList, name, code, message);
  }
}
