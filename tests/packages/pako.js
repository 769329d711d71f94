'use strict';
const assert = require('node:assert');
const zlib = require('node:zlib');
const pako = require('pako');

const text = Buffer.from('what is said twice is said thrice. '.repeat(3000));
for (const [name, pack, unpack, theirs] of [
  ['deflate', 'deflate', 'inflateSync', 'deflateSync'],
  ['raw', 'deflateRaw', 'inflateRawSync', 'deflateRawSync'],
  ['gzip', 'gzip', 'gunzipSync', 'gzipSync'],
]) {
  const packed = pako[pack](text, { level: 9 });
  assert.deepStrictEqual(zlib[unpack](packed), text);
  const back = name === 'raw' ? pako.inflateRaw(zlib[theirs](text)) : pako.inflate(zlib[theirs](text));
  assert.deepStrictEqual(Buffer.from(back), text);
  console.log(name, packed.length, Buffer.from(packed.subarray(-16)).toString('hex'));
}
const stream = new pako.Inflate();
const packed = zlib.deflateSync(text);
for (let at = 0; at < packed.length; at += 10) stream.push(packed.subarray(at, at + 10), at + 10 >= packed.length);
console.log(stream.err, stream.result.length);
for (const bad of [Buffer.from('no deflate'), packed.subarray(0, 20)]) {
  try {
    console.log(pako.inflate(bad));
  } catch (error) {
    console.log(String(error.message ?? error));
  }
}
