'use strict';
// Argument: the folder with the modules (the runner writes them).
const { begin } = require('./measure.js');

const n = 1000;
const folder = process.argv[2];
let sum = 0;
const end = begin(n);
for (let i = 0; i < n; i++) sum += require(`${folder}/module_${i}.js`).value;
end();
if (sum !== (n * (n - 1)) / 2) throw new Error(`sum ${sum}`);
