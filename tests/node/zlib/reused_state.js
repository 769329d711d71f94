'use strict';
// Calls in one tick do not see each other, also after errors.
const zlib = require('node:zlib');
const a = Buffer.from('alpha beta gamma '.repeat(50));
const b = Buffer.from('alpha beta delta '.repeat(70));
const fresh = [zlib.gzipSync(a), zlib.gzipSync(b)];
for (let i = 0; i < 20; i++) {
  try { zlib.gunzipSync(Buffer.from('garbage')); } catch {}
  try { zlib.gunzipSync(fresh[0].subarray(0, 20)); } catch {}
  try { zlib.gzipSync(a, { maxOutputLength: 3 }); } catch {}
  const out = zlib.gzipSync(i % 2 ? a : b, i % 3 === 0 ? { level: 9 } : undefined);
  if (i % 3 !== 0) console.log(out.equals(fresh[i % 2 ? 0 : 1]));
  console.log(zlib.gunzipSync(out).equals(i % 2 ? a : b), zlib.unzipSync(out).length, zlib.inflateRawSync(zlib.deflateRawSync(a, { windowBits: 9 })).equals(a));
}
const nested = zlib.gzipSync({ toString() { return 'x'; } }.toString());
console.log(zlib.gunzipSync(nested).toString());
