'use strict';
const { begin } = require('./measure.js');

const n = 1e6;
async function main() {
  const end = begin(n);
  for (let i = 0; i < n; i++) await i;
  end();
}
main();
