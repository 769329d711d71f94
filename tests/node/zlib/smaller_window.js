// A window that is smaller than that of the compressed data: an error as soon as a distance reaches beyond it, but what is still in the
// output can be reached, so it depends on how large that is.
const zlib = require('zlib');

const text = Array.from({ length: 400 }, (_, i) => `${i * 7919 % 1000} entry ${i % 13} `).join('');
const repeated = Buffer.from(text.repeat(6));
for (const [compress, decompress] of [['gzipSync', 'gunzipSync'], ['deflateSync', 'inflateSync'], ['deflateRawSync', 'inflateRawSync'], ['gzipSync', 'unzipSync']]) {
  const input = zlib[compress](repeated);
  for (const windowBits of [undefined, 0, 9, 12, 15]) {
    for (const chunkSize of [undefined, 64, 1024, 1 << 20]) {
      const options = {};
      if (windowBits !== undefined) options.windowBits = windowBits;
      if (chunkSize !== undefined) options.chunkSize = chunkSize;
      let outcome;
      try {
        const output = zlib[decompress](input, options);
        outcome = `${output.length} ${output.equals(repeated)}`;
      } catch (error) {
        outcome = `${error.code} ${error.message}`;
      }
      console.log(decompress, windowBits, chunkSize, outcome);
    }
  }
}
// Which error of several depends on it too.
const damaged = Buffer.from('28b52ffda05108010055000010010101004e0839c002', 'hex');
for (const chunkSize of [64, 1024, 16384, 1 << 20]) {
  try {
    console.log(zlib.zstdDecompressSync(damaged, { chunkSize }).length);
  } catch (error) {
    console.log(chunkSize, error.code, error.errno, error.message);
  }
}
