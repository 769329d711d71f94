// rondo-test: scratch
'use strict';
// readFileSync() and statSync(): what they return and throw, for each kind of path and file.
const fs = require('fs');

function show(title, call) {
  try {
    console.log(title, call());
  } catch (error) {
    console.log(title, error.name, error.code, error.errno, error.syscall, error.path?.length, error.message.length < 200 && error.message);
  }
}

fs.writeFileSync('empty', '');
fs.writeFileSync('text', 'grün \u{1f600}');
fs.writeFileSync('wrong', Buffer.from([0x61, 0xff, 0xc3, 0x62]));
const much = Buffer.alloc(3_000_000, 'abc');
fs.writeFileSync('much', much);
fs.mkdirSync('folder');
fs.symlinkSync('nothing', 'broken');
const long = `${'./'.repeat(500)}grün\u{1f600}`;

for (const encoding of [undefined, 'buffer', 'utf8', 'utf-8', 'UTF8', 'latin1', 'hex']) {
  console.log('encoding', encoding);
  const read = (path, options) => fs.readFileSync(path, { encoding, ...options });
  for (const path of ['empty', 'text', 'wrong', 'folder', 'broken', 'text/x', Buffer.from('text'), long]) {
    show(`  ${String(path).slice(0, 20)}`, () => read(path));
  }
  show('  much', () => Buffer.from(read('much'), encoding).equals(much));
  show('  /proc', () => read('/proc/self/stat').length > 20);
  show('  device', () => read('/dev/null').length);
  show('  zero byte', () => read('a\0b'));
  show('  create', () => read('empty', { flag: 'wx+' }));
  show('  write only', () => read('text', { flag: fs.constants.O_WRONLY }));
  show('  flag', () => read('new', { flag: 'w+' }).length);
}
const text = fs.readFileSync('text');
console.log(Buffer.isBuffer(text), Object.getPrototypeOf(text) === Buffer.prototype);

for (const method of ['statSync', 'lstatSync']) {
  for (const options of [undefined, {}, { throwIfNoEntry: false }, { bigint: true }, { bigint: true, throwIfNoEntry: false }]) {
    console.log(method, options);
    for (const path of ['much', 'folder', 'broken', 'nothing', 'text/x', Buffer.from('text'), long]) {
      show(`  ${String(path).slice(0, 20)}`, () => {
        const stats = fs[method](path, options);
        return stats && [stats.constructor.name, stats.isFile(), stats.isSymbolicLink(), stats.isFile() && stats.size];
      });
    }
  }
}
const first = fs.statSync('text');
const second = fs.statSync('much');
console.log(first.size, second.size);
