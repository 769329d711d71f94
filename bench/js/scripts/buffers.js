'use strict';
// Argument: which of the works below.
const { begin } = require('./measure.js');

const kib = Buffer.alloc(1024, 'a');
const kib64 = Buffer.alloc(65536, 'a');
const target = Buffer.alloc(65536);
kib64.write('needle', 65000);
kib64[65530] = 0;
const [n, call] = {
  'copy 1 KiB': [2e6, () => kib.copy(target, 0)],
  'copy 64 KiB': [1e5, () => kib64.copy(target, 0)],
  'fill 1 KiB byte': [2e6, () => target.fill(7, 0, 1024).length],
  'fill 64 KiB text': [1e5, () => target.fill('abc').length],
  'indexOf byte in 64 KiB': [1e5, () => kib64.indexOf(0)],
  'indexOf text in 64 KiB': [1e5, () => kib64.indexOf('needle')],
  'indexOf missing text in 1 KiB': [1e6, () => kib.indexOf('needle') + 2],
}[process.argv[2]];

function loop(times) {
  let sum = 0;
  for (let i = 0; i < times; i++) sum += call();
  if (sum < times) throw new Error(`sum ${sum}`);
}
loop(n / 10);
const end = begin(n);
loop(n);
end();
