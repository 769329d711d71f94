'use strict';
const { begin } = require('../js/scripts/measure.js');

const n = 1e6;
const end = begin(n);
let left = n;
(function next() {
  if (left-- === 0) end();
  else Promise.resolve().then(next);
})();
