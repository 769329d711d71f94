'use strict';
// Argument: what to do. Compression, cryptography and web streams: the rows that are neither files nor network.
const crypto = require('node:crypto');
const zlib = require('node:zlib');
const { begin } = require('./measure.js');

function json(size) {
  const rows = [];
  for (let i = 0, length = 0; length < size; i++) {
    rows.push({ id: i, name: `name ${i * 7919 % 1000}`, tags: ['a', 'b', String(i % 13)], score: i * 31 % 997 / 7 });
    length += JSON.stringify(rows[i]).length + 1;
  }
  return Buffer.from(JSON.stringify(rows)).subarray(0, size);
}

// The same function so often, after a tenth of that for the compiler.
function repeat(count, work) {
  for (let i = 0; i < count / 10; i++) work();
  const end = begin(count);
  for (let i = 0; i < count; i++) work();
  end();
}

// So many rounds of eight at a time.
async function together(rounds, start) {
  const round = () => Promise.all(Array.from({ length: 8 }, () => new Promise((resolve, reject) => {
    start((error, key) => error ? reject(error) : resolve(key));
  })));
  await round();
  const end = begin(rounds);
  for (let i = 0; i < rounds; i++) await round();
  end();
}

function source(chunks) {
  let left = chunks;
  const chunk = new Uint8Array(64);
  return new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(chunk);
      else controller.close();
    },
  });
}

function sink() {
  return new WritableStream({ write() {} });
}

const kChunks = 1e5;
const kSmall = Buffer.alloc(64, 'x');
const kMebibyte = Buffer.alloc(2 ** 20, 'lorem ipsum dolor ');
const kKey = Buffer.alloc(32, 1);
const kVector = Buffer.alloc(12, 2);

const works = {
  'sha256 createHash': () => repeat(3e5, () => crypto.createHash('sha256').update(kSmall).digest('hex')),
  'sha256 hash': () => repeat(3e5, () => crypto.hash('sha256', kSmall, 'hex')),
  'sha256 1 MiB': () => repeat(300, () => crypto.createHash('sha256').update(kMebibyte).digest()),
  'aes-256-gcm 1 MiB': () => repeat(300, () => {
    const cipher = crypto.createCipheriv('aes-256-gcm', kKey, kVector);
    cipher.update(kMebibyte);
    cipher.final();
  }),
  'gzip 1 MiB': () => {
    const data = json(2 ** 20);
    repeat(10, () => zlib.gzipSync(data, { level: 6 }));
  },
  'randomUUID': () => repeat(1e6, () => crypto.randomUUID()),
  'randomBytes 16': () => repeat(1e6, () => crypto.randomBytes(16)),
  'pipeTo': async () => {
    await source(kChunks / 10).pipeTo(sink());
    const end = begin(kChunks);
    await source(kChunks).pipeTo(sink());
    end();
  },
  'pipeThrough': async () => {
    await source(kChunks / 10).pipeThrough(new TransformStream()).pipeTo(sink());
    const end = begin(kChunks);
    await source(kChunks).pipeThrough(new TransformStream()).pipeTo(sink());
    end();
  },
  'pbkdf2': () => together(10, (done) => crypto.pbkdf2('password', 'salt', 1e5, 64, 'sha512', done)),
  'scrypt': () => together(10, (done) => crypto.scrypt('password', 'salt', 64, done)),
};
for (const [name, size, count] of [['1 KiB', 1024, 2e4], ['100 KiB', 102400, 200]]) {
  works[`gzipSync ${name}`] = () => {
    const data = json(size);
    repeat(count, () => zlib.gzipSync(data));
  };
  works[`gunzipSync ${name}`] = () => {
    const data = zlib.gzipSync(json(size));
    repeat(count * 3, () => zlib.gunzipSync(data));
  };
}
works['brotli 100 KiB'] = () => {
  const data = json(102400);
  const options = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } };
  repeat(200, () => zlib.brotliCompressSync(data, options));
};

works[process.argv[2]]();
