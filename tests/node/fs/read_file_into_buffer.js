// rondo-test: scratch
// The option `buffer` of readFile(): memory, or a function that is given the size.
const fs = require('fs');
fs.writeFileSync('text', 'some text in a file');
fs.writeFileSync('empty', '');
fs.writeFileSync('large', Buffer.alloc(1_200_000, 'abc'));

const callback = (path, options) => new Promise((resolve, reject) => {
  fs.readFile(path, options, (error, data) => (error ? reject(error) : resolve(data)));
});
const ways = {
  sync: fs.readFileSync,
  callback,
  promise: fs.promises.readFile,
  descriptor(path, options) {
    const fd = fs.openSync(path);
    try {
      return fs.readFileSync(fd, options);
    } finally {
      fs.closeSync(fd);
    }
  },
  async handle(path, options) {
    await using handle = await fs.promises.open(path);
    return await handle.readFile(options);
  },
};

async function attempt(name, read, path, options, memory) {
  try {
    const data = await read(path, options);
    if (typeof data === 'string') return console.log(name, data.length, data.slice(0, 20));
    console.log(name, data.constructor.name, data.length, data.toString('latin1', 0, 10), memory === data.buffer);
  } catch (error) {
    console.log(name, error.code, error.message);
  }
}

(async () => {
  for (const [name, read] of Object.entries(ways)) {
    for (const size of [0, 5, 19, 30]) {
      for (const path of ['text', 'empty']) {
        const buffer = Buffer.alloc(size);
        await attempt(`${name} ${path} ${size}`, read, path, { buffer }, buffer.buffer);
      }
    }
    const memory = new ArrayBuffer(2_000_000);
    await attempt(name, read, 'large', { buffer: new DataView(memory, 10, 1_500_000) }, memory);
    await attempt(name, read, 'large', { buffer: new Float64Array(memory), encoding: 'utf8' });
    await attempt(name, read, 'text', { encoding: 'hex', buffer: (size) => Buffer.alloc(size + 1) });
    await attempt(name, read, 'text', { buffer: (size) => console.log('size', size) });
    await attempt(name, read, 'text', { buffer() { throw new RangeError('no memory'); } });
    await attempt(name, read, 'text', { buffer: () => Buffer.alloc(2) });
    // What has no size.
    await attempt(name, read, '/dev/null', { buffer: Buffer.alloc(10) });
    await attempt(name, read, '/proc/sys/kernel/ostype', { buffer: Buffer.alloc(3) });
    await attempt(name, read, '/proc/sys/kernel/ostype', { buffer: Buffer.alloc(6) });
    await attempt(name, read, '/proc/sys/kernel/ostype', { buffer: (size) => Buffer.alloc(size + 20) });
    await attempt(name, read, 'nothing', { buffer: Buffer.alloc(3) }).catch(console.log);
    for (const wrong of [null, 1, 'text', {}, new ArrayBuffer(8)]) {
      try {
        await read('text', { buffer: wrong });
      } catch (error) {
        console.log(name, error.code, error.message);
      }
    }
    console.log(fs.readdirSync('/proc/self/fd').length < 40);
  }
})();
