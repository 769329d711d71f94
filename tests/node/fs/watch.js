// rondo-test: scratch
'use strict';
// fs.watch(): each event of the kernel is one of the watcher's. The next change is made when the last one was reported.
const fs = require('fs');

fs.mkdirSync('folder');
const changes = [
  () => fs.writeFileSync('folder/a', ''),
  () => fs.writeFileSync('folder/a', 'text'),
  () => fs.renameSync('folder/a', 'folder/b'),
  () => fs.mkdirSync('folder/sub'),
  () => fs.chmodSync('folder/sub', 0o700),
  () => fs.unlinkSync('folder/b'),
  () => fs.rmdirSync('folder/sub'),
  () => fs.rmdirSync('folder'),
];
// The end of a change's events is shown by one more, on the folder itself.
let round = 0;
let ends = 0;
function next() {
  const change = changes.shift();
  if (change === undefined) return;
  console.log(`-- ${++round}`);
  change();
  if (changes.length > 0) fs.chmodSync('folder', 0o755);
}

const watcher = fs.watch('folder', (type, name) => {
  console.log(type, name);
  process.nextTick(() => console.log('tick'));
  if (name !== 'folder') return;
  if (changes.length > 0) next();
  else if (++ends === 2) watcher.close();
});
console.log(watcher.constructor.name, Object.keys(watcher).filter((key) => key.startsWith('_h')));
watcher.on('close', () => {
  console.log('close');
  watcher.close(); // again: nothing
});
console.log(process.getActiveResourcesInfo().filter((name) => name.startsWith('FS')));
setImmediate(next);

for (const wrong of [() => fs.watch('missing'), () => fs.watch('folder', { ignore: 1 }),
  () => fs.watch('folder', { ignore: '' }), () => fs.watch('folder', { encoding: 'no such' })]) {
  try {
    wrong();
  } catch (error) {
    console.log(error.name, error.code, error.message, error.syscall, error.path, error.filename);
  }
}
console.log(fs.watch('missing', { throwIfNoEntry: false }).constructor.name);
