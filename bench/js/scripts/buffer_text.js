'use strict';
// Arguments: "toString" or "from", the encoding, the size of the bytes.
const { begin } = require('./measure.js');

const [work, encoding, sizeName] = process.argv.slice(2);
const [size, n] = { '32 B': [32, 1e6], '1 KiB': [1024, 2e5], '64 KiB': [65536, 5e3] }[sizeName];
// As text is: mostly ASCII, in utf8 and latin1 with some letters beyond it.
const words = 'the quick brown fox jumps over the lazy dog, Zo\u00eb sees it. ';
const source = Buffer.from(words.repeat(1 + size / words.length), encoding === 'utf8' ? 'utf8' : 'latin1')
  .subarray(0, size);
const bytes = encoding === 'utf8' ? Buffer.from(source.toString('utf8').slice(0, size - 2)) : source;
const text = bytes.toString(encoding);

const loops = {
  toString(times) {
    let sum = 0;
    for (let i = 0; i < times; i++) sum += bytes.toString(encoding).length;
    return sum === times * text.length;
  },
  from(times) {
    let sum = 0;
    for (let i = 0; i < times; i++) sum += Buffer.from(text, encoding).length;
    return sum === times * bytes.length;
  },
};
const loop = loops[work];
if (!loop(n / 10)) throw new Error('wrong length');
const end = begin(n);
if (!loop(n)) throw new Error('wrong length');
end();
