'use strict';
// Of many functions that wait at the same time.
const { begin } = require('../js/scripts/measure.js');

const n = 1e6;
const kFunctions = 100;

async function work() {
  for (let i = 0; i < n / kFunctions; i++) await i;
}

const end = begin(n);
Promise.all(Array.from({ length: kFunctions }, work)).then(end);
