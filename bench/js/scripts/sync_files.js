'use strict';
// Arguments: the folder with the files (the runner writes them), and which of the works below.
const fs = require('node:fs');
const { begin } = require('./measure.js');

const [folder, work] = process.argv.slice(2);
const small = `${folder}/4096`;
const large = `${folder}/1048576`;
const [n, length, call] = {
  'readFileSync 4 KiB': [50000, 4096, () => fs.readFileSync(small).length],
  'readFileSync 4 KiB utf8': [50000, 4096, () => fs.readFileSync(small, 'utf8').length],
  'readFileSync 1 MiB': [1000, 1048576, () => fs.readFileSync(large).length],
  'statSync': [100000, 4096, () => fs.statSync(small).size],
}[work];

function loop(times) {
  for (let i = 0; i < times; i++) {
    if (call() !== length) throw new Error('wrong length');
  }
}
loop(n / 10);
const end = begin(n);
loop(n);
end();
