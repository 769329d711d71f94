'use strict';
// Streams of node:zlib that are written in random pieces, with flush() and params() between them: what comes out must
// decompress to what went in. It checks itself, because Node 26.10 calls deflateParams() while other writes are under
// way, and then loses bytes.
//     rondo compression_check.js --seconds=N --seed=N

const assert = require('node:assert');
const { parseArgs } = require('node:util');
const zlib = require('node:zlib');
const { Random } = require('./random.js');

const kKinds = [
  ['Deflate', zlib.inflateSync], ['Gzip', zlib.gunzipSync], ['DeflateRaw', zlib.inflateRawSync],
  ['BrotliCompress', zlib.brotliDecompressSync], ['ZstdCompress', zlib.zstdDecompressSync],
];
const kFlushes = { BrotliCompress: [0, 1], ZstdCompress: [0, 1, 2] };

function makeInput(random) {
  const entries = Array.from({ length: random.below(2000) }, (_, i) => ({ i, value: random.below(100) }));
  return random.chance(20) ? Buffer.alloc(random.below(100_000), random.below(4)) : Buffer.from(JSON.stringify(entries));
}

function run(seed) {
  const random = new Random(seed);
  const [name, decompress] = random.pick(kKinds);
  const input = makeInput(random);
  const stream = new zlib[name]({ chunkSize: random.pick([64, 1000, 16_384]) });
  const output = [];
  const most = random.pick([10, 300, 5000, 100_000]) + (input.length >> 8);
  let at = 0;

  function step() {
    while (at < input.length) {
      const size = 1 + random.below(most);
      stream.write(input.subarray(at, at + size));
      at += size;
      if (random.chance(10)) stream.flush(random.pick(kFlushes[name] ?? [0, 2, 3]), () => {});
      if (name.endsWith('Compress') === false && random.chance(10)) stream.params(random.below(10), random.below(4), () => {});
      if (random.chance(20)) return void setImmediate(step);
    }
    stream.end();
  }

  return new Promise((resolve, reject) => {
    stream.on('data', (chunk) => output.push(chunk));
    stream.on('error', reject);
    stream.on('end', () => {
      assert.ok(decompress(Buffer.concat(output)).equals(input), 'other bytes came out');
      resolve();
    });
    step();
  });
}

(async () => {
  const { values } = parseArgs({
    options: {
      'seconds': { type: 'string', default: '20' },
      'seed': { type: 'string', default: '1' },
      'no-address-limit': { type: 'boolean' }, // for another check
    },
  });
  const end = Date.now() + 1000 * values.seconds;
  let seed = Number(values.seed);
  try {
    for (; Date.now() < end; seed++) await run(seed);
  } catch (error) {
    console.error(`seed ${seed}: ${error.stack}`);
    process.exitCode = 1;
  }
  console.log(`${seed - values.seed} streams`);
})();
