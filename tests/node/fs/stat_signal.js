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
// lstat() and fstat(), and which error comes first.
const attempt = (label, call) => {
  try {
    call();
    console.log(label, 'begun');
  } catch (error) {
    console.log(label, error.code, error.message);
  }
};
for (const [name, target] of [['stat', '.'], ['lstat', '.'], ['fstat', fs.openSync('.')]]) {
  const report = (label) => (error, stats) => console.log(name, label, error?.name, error?.cause, typeof stats);
  attempt(`${name} path`, () => fs[name](null, { signal: 5 }, () => {}));
  attempt(`${name} callback`, () => fs[name](target, { signal: 5 }, 'x'));
  attempt(`${name} null`, () => fs[name](target, { signal: null }, () => {}));
  attempt(`${name} aborted`, () => fs[name](target, { signal: AbortSignal.abort('why') }, report('aborted')));
  attempt(`${name} wrong and aborted`, () => fs[name](null, { signal: AbortSignal.abort('why') }, report('wrong and aborted')));
  attempt(`${name} no object`, () => fs[name](target, name === 'fstat' ? null : 'x', (error) => { if (error) throw error; }));
}
const later = new AbortController();
fs.lstat('.', { signal: later.signal }, (error, stats) => console.log('lstat later', error.name, error.cause, stats));
later.abort('later');
