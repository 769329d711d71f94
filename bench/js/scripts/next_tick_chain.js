'use strict';
const { begin } = require('./measure.js');

const n = 1e6;
let count = 0;
function tick() {
  if (++count === n) end();
  else process.nextTick(tick);
}
const end = begin(n);
process.nextTick(tick);
