'use strict';
// A hash as an object and as a stream: copies, second calls, encodings.
const { createHash, Hash } = require('node:crypto');

function attempt(label, run) {
  try {
    console.log(label, run());
  } catch (error) {
    console.log(label, error.name, error.code, error.message);
  }
}

const first = createHash('sha256').update('a');
const copy = first.copy();
console.log(first.update('b').digest('hex'), copy.digest('hex'));
attempt('again', () => first.digest());
attempt('update', () => first.update('c'));
attempt('copy', () => first.copy());
attempt('empty copy', () => createHash('sha1').copy().digest('hex'));
attempt('copy of two', () => createHash('sha1').update('a').update('b').copy().update('c').digest('hex'));

// What was given may be changed afterwards.
const bytes = Buffer.from('abc');
const kept = createHash('sha1').update(bytes);
bytes.fill(0);
console.log(kept.digest('hex'), createHash('sha1').update('abc').digest('hex'));

for (const encoding of ['hex', 'HEX', 'base64', 'base64url', 'latin1', 'binary', 'ascii', 'utf8', 'ucs2', 'buffer', 'nope', undefined]) {
  attempt(encoding, () => createHash('md5').update('a').digest(encoding));
}
attempt('hex in', () => createHash('md5').update('616', 'hex'));
attempt('hex in', () => createHash('md5').update('6162', 'hex').digest('hex'));
attempt('latin1 in', () => createHash('md5').update('\u00e9', 'latin1').digest('hex'));
attempt('utf8 in', () => createHash('md5').update('\u00e9\ud800').digest('hex'));
attempt('base64 in', () => createHash('md5').update('YQ==', 'base64').digest('hex'));
attempt('view', () => createHash('md5').update(new Uint16Array([1, 2])).digest('hex'));
attempt('DataView', () => createHash('md5').update(new DataView(new ArrayBuffer(3))).digest('hex'));
attempt('long', () => createHash('md5').update(Buffer.alloc(600)).update('x'.repeat(600)).digest('hex'));
for (const value of [1, null, undefined, {}, [], new ArrayBuffer(1)]) attempt('type', () => createHash('md5').update(value));
attempt('name', () => createHash(1));
attempt('no new', () => Hash('md5') instanceof Hash);
console.log(createHash('md5'));

const stream = createHash('sha256');
stream.on('readable', () => {
  let data;
  while ((data = stream.read()) !== null) console.log('read', data.toString('hex'));
});
stream.on('end', () => {
  attempt('after the end', () => stream.digest('hex'));
});
stream.write('a');
stream.end('b');
