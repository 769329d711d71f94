// rondo-test: scratch
// fs.watchFile() and fs.unwatchFile().
'use strict';
const fs = require('fs');
fs.writeFileSync('f', 'x');
const t = (n, f) => { try { console.log(n, f()); } catch (e) { console.log(n, e.code, e.message); } };
t('no listener', () => fs.watchFile('f'));
t('bad listener', () => fs.watchFile('f', {}, 5));
t('bad listener2', () => fs.watchFile('f', 'x'));
t('null opt', () => fs.watchFile('f', null, () => {}).constructor.name);
fs.unwatchFile('f');
t('bad path', () => fs.watchFile(5, () => {}));
t('buffer path', () => fs.watchFile(Buffer.from('f'), () => {}).constructor.name);
t('url', () => fs.watchFile(new URL('file://' + process.cwd() + '/f'), () => {}) === fs.watchFile('f', () => {}));
fs.unwatchFile('f');
t('interval', () => fs.watchFile('f', { interval: -1 }, () => {}));
t('interval', () => fs.watchFile('f', { interval: 'x' }, () => {}));
t('interval', () => fs.watchFile('f', { interval: 1.5 }, () => {}));
t('unwatch unknown', () => fs.unwatchFile('zzz'));
t('unwatch bad', () => fs.unwatchFile(5));
const w = fs.watchFile('f', { interval: 20 }, () => {});
console.log(Object.keys(w), w.constructor.name, Object.getOwnPropertyNames(Object.getPrototypeOf(w)), w.start && w.start.length, fs.watchFile.length, fs.unwatchFile.length, w.ref() === w, w.unref() === w);
console.log(w._handle && w._handle.constructor.name, w.close, w.hasRef);
w.on('stop', () => { console.log('stop', w._handle); next(); });
process.nextTick(() => console.log('tick before'));
fs.unwatchFile('f'); console.log('unwatched');
const ino = (s) => [typeof s.size, s.size, s.isFile(), s.nlink, s.mtimeMs > 0, s.mtime.getTime() === 0].map(String).join(' ');
function next() {
  // missing, appears, changes, disappears, appears
  let n = 0;
  const seen = (curr, prev) => {
    console.log('event', n, '| curr', ino(curr), '| prev', ino(prev), curr instanceof fs.Stats, curr.constructor.name);
    n++;
    if (n === 1) fs.writeFileSync('g', 'abc');
    if (n === 2) fs.writeFileSync('g', 'abcdef');
    if (n === 3) fs.unlinkSync('g');
    if (n === 4) fs.mkdirSync('g');
    if (n === 5) { fs.unwatchFile('g', seen); bigint(); }
  };
  fs.watchFile('g', { interval: 15 }, seen);
}
function bigint() {
  fs.writeFileSync('h', '1');
  const other = () => console.log('other');
  const w = fs.watchFile('h', { interval: 15, bigint: true }, (curr, prev) => {
    console.log(ino(curr), ino(prev), curr.constructor.name);
    fs.unwatchFile('h', other);
    console.log(w.listenerCount('change'));
    fs.unwatchFile('h');
    w.stop();
    const un = fs.watchFile('h', { persistent: false, interval: 10 }, () => {});
    un.on('stop', () => console.log('never'));
    const un2 = fs.watchFile('f', { interval: 10 }, () => {}); un2.unref();
  });
  console.log(fs.watchFile('h', other) === w);
  setTimeout(() => fs.writeFileSync('h', '22'), 60);
}
