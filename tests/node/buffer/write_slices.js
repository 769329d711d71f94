'use strict';
// asciiWrite(), latin1Write() and utf8Write() convert what they are given as positions.
const args = [['1'], [1, '1'], [1.5], [null], [{}], [0, null], [0, {}], [NaN], [undefined, undefined], [0, -1], [-1], [99],
  [0, 99], [1n], [0, 1n]];
for (const size of [1, 8, 100]) {
  for (const name of ['asciiWrite', 'latin1Write', 'utf8Write']) {
    for (const rest of args) {
      const buffer = Buffer.alloc(size);
      try {
        console.log(size, name, rest, buffer[name]('abc', ...rest), buffer.toString('hex', 0, 5));
      } catch (error) {
        console.log(size, name, rest, error.name, error.message);
      }
    }
  }
}
