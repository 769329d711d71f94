'use strict';
const { begin } = require('./measure.js');

const n = 1e6;
let count = 0;
function immediate() {
  if (++count === n) end();
  else setImmediate(immediate);
}
const end = begin(n);
setImmediate(immediate);
