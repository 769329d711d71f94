// What a call makes does not depend on the calls before it.
const zlib = require('zlib');

const inputs = [3, 4, 5, 6, 7, 8, 20, 300].map((size) => Buffer.alloc(size));
inputs.push(Buffer.from('abcabcabc'), Buffer.from('hello hello hello'), Buffer.from('x'.repeat(5)));
const before = [Buffer.from('some text, not zeros, '.repeat(20)), Buffer.alloc(100_000, 'z'), Buffer.from('ab')];

for (const name of ['gzipSync', 'deflateSync', 'deflateRawSync']) {
  for (const other of before) {
    console.log(name, other.length);
    for (const input of inputs) {
      zlib[name](other);
      console.log(zlib[name](input).toString('hex'));
    }
  }
}

const stream = zlib.createDeflateRaw();
const chunks = [];
stream.on('data', (chunk) => chunks.push(chunk));
stream.write(before[0]);
stream.flush(() => {
  stream.reset();
  chunks.length = 0;
  stream.end(Buffer.alloc(5));
  stream.on('end', () => console.log('reset', Buffer.concat(chunks).toString('hex')));
});
