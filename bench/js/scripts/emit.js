'use strict';
// Arguments: the number of listeners, the number of arguments of emit().
const { EventEmitter } = require('node:events');
const { begin } = require('./measure.js');

const listeners = Number(process.argv[2]);
const n = 1e7 / listeners;
const emitter = new EventEmitter();
let count = 0;
for (let i = 0; i < listeners; i++) {
  emitter.on('event', (a, b, c) => {
    if (a !== 0) count++;
  });
}

// A loop of its own for each number of arguments, as in programs.
const loops = [
  (times) => { for (let i = 0; i < times; i++) emitter.emit('event'); },
  (times) => { for (let i = 0; i < times; i++) emitter.emit('event', i); },
  (times) => { for (let i = 0; i < times; i++) emitter.emit('event', i, 'two'); },
  (times) => { for (let i = 0; i < times; i++) emitter.emit('event', i, 'two', 3); },
];
const loop = loops[Number(process.argv[3])];

loop(n / 10); // until the compiler has run
count = 0;
const end = begin(n);
loop(n);
end();
if (count < (n - 1) * listeners) throw new Error(`${count} calls`);
