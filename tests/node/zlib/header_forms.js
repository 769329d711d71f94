'use strict';
// gzip headers with every optional field, and wrong ones.
const zlib = require('node:zlib');
const body = zlib.deflateRawSync('content');
const tail = Buffer.alloc(8);
tail.writeUInt32LE(zlib.crc32('content'), 0);
tail.writeUInt32LE(7, 4);
function file(flags, extra, method = 8) {
  return Buffer.concat([Buffer.from([0x1f, 0x8b, method, flags, 0, 0, 0, 0, 0, 255]), extra, body, tail]);
}
function attempt(label, bytes) {
  try { console.log(label, zlib.gunzipSync(bytes).toString()); } catch (error) { console.log(label, error.code, error.message); }
}
attempt('plain', file(0, Buffer.alloc(0)));
attempt('name', file(8, Buffer.from('name.txt\0')));
attempt('comment', file(16, Buffer.from('a comment\0')));
attempt('extra', file(4, Buffer.from([3, 0, 1, 2, 3])));
attempt('all', file(28, Buffer.from([2, 0, 9, 9, 0x61, 0, 0x62, 0])));
attempt('unterminated', file(8, Buffer.alloc(0)).subarray(0, 14));
attempt('reserved flags', file(0xe0, Buffer.alloc(0)));
attempt('method', file(0, Buffer.alloc(0), 7));
const wrongCrc = file(0, Buffer.alloc(0));
wrongCrc[wrongCrc.length - 8] ^= 1;
attempt('crc', wrongCrc);
const wrongLength = file(0, Buffer.alloc(0));
wrongLength[wrongLength.length - 4] ^= 1;
attempt('length', wrongLength);
const hugeLength = file(0, Buffer.alloc(0));
hugeLength.fill(0xff, hugeLength.length - 4);
attempt('huge length', hugeLength);
const adler = zlib.deflateSync('content');
adler[adler.length - 1] ^= 1;
try { zlib.inflateSync(adler); } catch (error) { console.log(error.code, error.message); }
