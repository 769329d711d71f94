'use strict';
const { begin } = require('./measure.js');

const n = 1e6;
const end = begin(n);
function next(count) {
  process.nextTick(() => {
    if (count === n) end();
    else next(count + 1);
  });
}
next(1);
