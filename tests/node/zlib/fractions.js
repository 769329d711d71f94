// Numbers with something after the point are options too: it is left out.
const zlib = require('zlib');

const text = Buffer.from('fractions of numbers '.repeat(40));
for (const options of [{ level: 1.5 }, { level: 0.9 }, { memLevel: 1.5 }, { windowBits: 9.7 }, { strategy: 2.2 },
  { finishFlush: 1.5 }, { finishFlush: 2.5 }, { chunkSize: 64.5, level: 9.9 }]) {
  for (const name of ['deflateSync', 'gzipSync', 'deflateRawSync']) {
    try {
      const packed = zlib[name](text, options);
      console.log(name, options, packed.length, zlib.crc32(packed));
    } catch (error) {
      console.log(name, options, error.code, error.message);
    }
  }
}
for (const options of [{ level: 1.5 }, { finishFlush: 1.5 }, { memLevel: 1.5, strategy: 2.2 }]) {
  zlib.deflate(text, options, (error, packed) => console.log(options, error ?? [packed.length, zlib.crc32(packed)]));
}
