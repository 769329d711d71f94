'use strict';
const { AsyncLocalStorage } = require('node:async_hooks');
const { begin } = require('./measure.js');

const n = 1e6;
const storage = new AsyncLocalStorage();
let sum = 0;
const end = begin(n);
for (let i = 0; i < n; i++) storage.run(i, () => { sum += storage.getStore(); });
end();
if (sum !== n * (n - 1) / 2) throw new Error('a store was lost');
