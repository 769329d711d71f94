// rondo-test: scratch
'use strict';
// Options of fs.watch(): persistent, signal, encoding, ignore; ref() and unref().
const fs = require('fs');

fs.writeFileSync('file', '');
fs.watch('file', { persistent: false }, () => console.log('not reached'));
fs.watch('file').unref();
const aborted = fs.watch('file', { signal: AbortSignal.abort() });
aborted.on('close', () => console.log('closed by a signal that was aborted before'));

const controller = new AbortController();
const watcher = fs.watch('.', { encoding: 'hex', signal: controller.signal }, (type, name) => {
  console.log(type, name);
  if (Buffer.from(name, 'hex').toString() === 'two') controller.abort();
});
watcher.on('close', () => {
  console.log('closed');
  ignoring();
});
console.log(watcher.ref() === watcher);
fs.mkdirSync('one');
fs.mkdirSync('two');

function ignoring() {
  const other = fs.watch('.', { ignore: ['*.log', /^secret/, (name) => name === 'three'] }, (type, name) => {
    console.log(type, name);
    if (name === 'end') {
      other.close();
      buffers();
    }
  });
  for (const name of ['a.log', 'secrets', 'three', 'b.txt', 'end']) fs.mkdirSync(name);
}

function buffers() {
  const other = fs.watch('.', 'buffer', (type, name) => {
    console.log(type, name);
    other.close();
  });
  fs.mkdirSync('four');
}
