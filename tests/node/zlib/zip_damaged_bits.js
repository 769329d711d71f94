// rondo-test: option=--no-warnings
'use strict';
// An archive with one wrong bit, for each bit of it: what is read, or which error.

const zlib = require('zlib');

const entries = [
  zlib.ZipEntry.createSync('a.txt', Buffer.from('hello'), { modified: new Date(0) }),
  zlib.ZipEntry.createSync('\u00e4.bin', Buffer.from('hello again'), { modified: new Date(0), method: 'store' }),
];
const archive = Buffer.concat([...zlib.createZipArchiveSync(entries)]);

function read(bytes) {
  try {
    const zip = new zlib.ZipBuffer(bytes);
    return [...zip.keys()].map((name) => `${name} ${zip.get(name).contentSync({ maxSize: 1000 }).toString('latin1')}`).join();
  } catch (error) {
    return `${error.name} ${error.code}`;
  }
}

const counts = new Map();
for (let bit = 0; bit < archive.length * 8; bit++) {
  const bytes = Buffer.from(archive);
  bytes[bit >> 3] ^= 1 << (bit & 7);
  const result = read(bytes);
  counts.set(result, (counts.get(result) ?? 0) + 1);
}
console.log([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
