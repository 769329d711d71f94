// rondo-test: scratch
'use strict';
// fs.watch() of a tree: one step at a time, and the last event of each is known.
const fs = require('fs');

fs.mkdirSync('tree/sub/deep', { recursive: true });
fs.writeFileSync('tree/sub/file', '');
const steps = [
  [() => fs.mkdirSync('tree/new'), 'rename new'],
  [() => fs.mkdirSync('tree/new/inner'), 'rename new/inner'],
  [() => fs.chmodSync('tree/sub/file', 0o600), 'change sub/file'],
  [() => fs.mkdirSync('tree/sub/deep/most'), 'rename sub/deep/most'],
  [() => fs.unlinkSync('tree/sub/file'), 'rename sub/file'],
  [() => fs.mkdirSync('tree/ignored'), undefined],
  [() => fs.mkdirSync('tree/last'), 'rename last'],
];
let expected;
function next() {
  if (steps.length === 0) {
    watcher.close();
    return;
  }
  const [step, last] = steps.shift();
  expected = last;
  step();
  if (last === undefined) next();
}
const watcher = fs.watch('tree', { recursive: true, ignore: 'ignored' });
console.log(watcher.constructor.name);
watcher.on('change', (type, name) => {
  console.log(type, name);
  if (`${type} ${name}` === expected) setImmediate(next);
});
watcher.on('close', () => console.log('close'));
next();
try {
  fs.watch('missing', { recursive: true });
} catch (error) {
  console.log(error.code, error.syscall);
}
