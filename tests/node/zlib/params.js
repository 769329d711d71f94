'use strict';
const zlib = require('node:zlib');
const input = Buffer.from('abcdefghij'.repeat(1000));
const stream = zlib.createDeflate({ level: 0, strategy: 0 });
const chunks = [];
stream.on('data', (chunk) => chunks.push(chunk));
stream.write(input, () => {
  stream.params(9, zlib.constants.Z_DEFAULT_STRATEGY, (error) => {
    console.log('params', error, stream._level, stream._strategy);
    stream.write(input, () => {
      stream.params(9, zlib.constants.Z_DEFAULT_STRATEGY, () => {
        console.log('the same again');
        stream.end();
      });
    });
  });
});
stream.on('end', () => {
  const whole = Buffer.concat(chunks);
  console.log(whole.length, zlib.crc32(whole), zlib.inflateSync(whole).length);
});
for (const args of [[-2, 0], [10, 0], [1, 5], [1, -1], ['1', 0], [1, 'x'], [NaN, 0]]) {
  try { zlib.createDeflate().params(...args, () => {}); console.log(args, 'ok'); } catch (error) { console.log(error.code, error.message); }
}
