'use strict';
const { begin } = require('./measure.js');

const n = 1e6;
let count = 0;
const end = begin(n);
for (let i = 0; i < n; i++) {
  process.nextTick(() => {
    if (++count === n) end();
  });
}
