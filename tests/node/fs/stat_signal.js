'use strict';
// fs.stat() with a signal: aborted before, aborted meanwhile, not aborted.
const fs = require('fs');

fs.stat('.', { signal: AbortSignal.abort('before') }, (error) => console.log('called', error.name, error.cause));
console.log('returned');
const controller = new AbortController();
fs.stat('.', { signal: controller.signal }, (error, stats) => {
  console.log(error.name, error.cause, stats);
  const other = new AbortController();
  fs.stat('.', { signal: other.signal, bigint: true }, (none, found) => {
    console.log(none, typeof found.size);
    other.abort();
  });
});
controller.abort('meanwhile');
for (const wrong of [{ signal: 1 }, { signal: null }]) {
  try {
    fs.stat('.', wrong, () => {});
  } catch (error) {
    console.log(error.code, error.message);
  }
  fs.promises.stat('.', wrong).catch((error) => console.log(error.code, error.message));
}
fs.promises.stat('.', { signal: AbortSignal.abort('promised') }).catch((error) => console.log(error.name, error.cause));
