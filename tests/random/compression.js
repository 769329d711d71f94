'use strict';
// The functions of node:zlib with right and wrong options, of right and wrong types, on right, damaged and cut input: what
// comes out, or the error. Streams are compression_check.js's: how their writes and flushes meet depends on the time.

const zlib = require('node:zlib');
const { Random } = require('./random.js');

const { constants } = zlib;
const kNames = ['gzip', 'gunzip', 'deflate', 'inflate', 'deflateRaw', 'inflateRaw', 'unzip', 'brotliCompress',
  'brotliDecompress', 'zstdCompress', 'zstdDecompress'];
const kCompressors = {
  gunzip: 'gzip', inflate: 'deflate', inflateRaw: 'deflateRaw', unzip: 'gzip', brotliDecompress: 'brotliCompress',
  zstdDecompress: 'zstdCompress',
};
const kDictionary = Buffer.from('hello hello');

function show(value) {
  if (Buffer.isBuffer(value)) return `${value.toString('hex', 0, 30)} ${value.length} ${zlib.crc32(value)}`;
  return value?.engine ? `${show(value.buffer)} ${value.engine.constructor.name}` : String(value);
}

function showError({ name, code, errno, message }) {
  return `${name} ${code} ${errno} ${message}`;
}

class Program {
  constructor(seed) {
    this.random = new Random(seed);
  }

  number(...good) {
    return this.random.pick([undefined, ...good, ...good, -1, 0, 1.5, NaN, 'x', 100, null]);
  }

  data() {
    const { random } = this;
    switch (random.below(5)) {
      case 0: return Buffer.alloc(0);
      case 1: return Buffer.from('hello '.repeat(random.below(50)));
      case 2: return Buffer.from(Array.from({ length: random.below(300) }, () => random.below(256)));
      case 3: return Buffer.alloc(random.below(70_000), random.below(3));
      default: return Buffer.from(JSON.stringify(Array.from({ length: random.below(200) }, (_, i) => ({ i, x: random.below(9) }))));
    }
  }

  input(name) {
    const { random } = this;
    if (random.chance(4)) {
      return random.pick([undefined, null, 5, {}, [], 'text', new Uint16Array(9), new DataView(new ArrayBuffer(5)), new ArrayBuffer(4)]);
    }
    if (kCompressors[name] === undefined) return this.data();
    let packed = zlib[`${kCompressors[name]}Sync`](this.data());
    if (random.chance(15)) packed = Buffer.concat([packed, random.pick([packed, Buffer.alloc(3), Buffer.from('xyz')])]);
    if (random.chance(15)) packed = packed.subarray(0, random.below(packed.length + 1));
    if (random.chance(10) && packed.length > 0) packed[random.below(packed.length)] ^= 1 << random.below(8);
    return packed;
  }

  options(name) {
    const { random } = this;
    if (random.chance(25)) return undefined;
    if (random.chance(3)) return random.pick([null, 5, 'x', []]);
    const options = {};
    const set = (key, value) => {
      if (random.chance(22)) options[key] = value();
    };
    set('chunkSize', () => this.number(64, 100, 1024, 65_536));
    set('maxOutputLength', () => this.number(1, 100, 1e6));
    set('finishFlush', () => this.number(0, 1, 2, 3, 4, 5));
    set('flush', () => this.number(0, 2, 3, 4));
    set('info', () => random.pick([true, false, 1]));
    if (name.startsWith('brotli')) {
      set('params', () => this.params([constants.BROTLI_PARAM_QUALITY, constants.BROTLI_PARAM_LGWIN,
        constants.BROTLI_PARAM_MODE, constants.BROTLI_PARAM_SIZE_HINT, 99, -1, 'x']));
    } else if (name.startsWith('zstd')) {
      set('params', () => this.params([constants.ZSTD_c_compressionLevel, constants.ZSTD_c_windowLog,
        constants.ZSTD_c_checksumFlag, constants.ZSTD_c_strategy, constants.ZSTD_d_windowLogMax, 99_999, 'x']));
      set('pledgedSrcSize', () => this.number(0, 10, 100));
      set('dictionary', () => random.pick([kDictionary, 'x', 5]));
    } else {
      set('level', () => this.number(0, 1, 6, 9, 10, -2));
      set('windowBits', () => this.number(8, 9, 15, 16, 7));
      set('memLevel', () => this.number(1, 8, 9, 10));
      set('strategy', () => this.number(0, 1, 2, 3, 4, 5));
      set('dictionary', () => random.pick([kDictionary, new Uint8Array(5), new ArrayBuffer(3), 'x', 5, null]));
      set('rejectGarbageAfterEnd', () => random.pick([true, false, 1]));
    }
    return options;
  }

  params(keys) {
    return { [this.random.pick(keys)]: this.random.pick([0, 1, 3, 5, 10, 11, 16, 19, 22, 25, -1, true, 'x', NaN]) };
  }

  async run() {
    for (let i = 0; i < 10; i++) {
      const name = this.random.pick(kNames);
      const options = this.options(name);
      const input = this.input(name);
      try {
        const result = this.random.chance(60) ? zlib[`${name}Sync`](input, options) :
          await new Promise((resolve, reject) => {
            zlib[name](input, options, (error, value) => (error ? reject(error) : resolve(value)));
          });
        console.log(name, show(result));
      } catch (error) {
        console.log(name, showError(error));
      }
    }
    try {
      console.log(zlib.crc32(this.random.pick([this.data(), 'x', 5]), this.random.pick([undefined, 0, 1, -1, 2 ** 32, 'a'])));
    } catch (error) {
      console.log(showError(error));
    }
  }
}

process.removeAllListeners('warning');
(async () => {
  const first = Number(process.argv[2]);
  const count = Number(process.argv[3]);
  for (let seed = first; seed < first + count; seed++) {
    console.log(`# seed ${seed}`);
    await new Program(seed).run();
  }
})();
