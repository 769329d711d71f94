'use strict';
// Argument: "storage" to await inside AsyncLocalStorage.run().
const { AsyncLocalStorage } = require('node:async_hooks');
const { begin } = require('./measure.js');

const n = 1e6;
async function main() {
  const end = begin(n);
  for (let i = 0; i < n; i++) await i;
  end();
}
if (process.argv[2] === 'storage') new AsyncLocalStorage().run({ id: 1 }, main);
else main();
