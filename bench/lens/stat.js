'use strict';
const { stat } = require('fs');
const { begin } = require('../js/scripts/measure.js');

const n = 2e5;
const kAtOnce = 100;
const end = begin(n);
let left = n;

function next() {
  left--;
  if (left === 0) end();
  else if (left >= kAtOnce) stat(__filename, next);
}

for (let i = 0; i < kAtOnce; i++) stat(__filename, next);
