// rondo-test: scratch
// Positions that are none: what read() refuses, and where the others read and write. Recorded from Node 26: 20 checks
// in another order.
'use strict';
const fs = require('fs');

async function attempt(action) {
  try {
    return String(await action());
  } catch (error) {
    return `${error.code} ${error.message}`;
  }
}

const promised = (method, ...args) => new Promise((resolve, reject) => {
  fs[method](...args, (error, value) => (error ? reject(error) : resolve(value)));
});

(async () => {
  fs.writeFileSync('file', '0123456789');
  const fd = fs.openSync('file');
  const handle = await fs.promises.open('file');
  for (const position of [[], {}, 1.5, NaN, Infinity, -2, -5n, 2 ** 53, 2n ** 64n, '1', true]) {
    console.log('position', typeof position, String(position));
    for (const [size, length] of [[4, 2], [4, 0], [0, 2], [1, 5]]) {
      const args = [Buffer.alloc(size), 0, length, position];
      const results = [
        await attempt(() => fs.readSync(fd, ...args)),
        await attempt(() => promised('read', fd, ...args)),
        await attempt(async () => (await handle.read(...args)).bytesRead),
      ];
      for (const result of results) console.log(' read', length, 'to', size, result);
    }
    for (const method of ['readv', 'write', 'writev']) {
      const written = fs.openSync('copy', 'w+');
      fs.writeSync(written, '0123456789');
      fs.closeSync(written);
      for (const way of ['sync', 'callback', 'handle']) {
        const open = await fs.promises.open('copy', 'r+');
        await open.read(Buffer.alloc(3));
        const buffer = Buffer.from(way[0]);
        const args = method === 'write' ? [buffer, 0, 1, position] : [[buffer], position];
        const result = await attempt(async () => {
          if (way === 'sync') return fs[`${method}Sync`](open.fd, ...args);
          if (way === 'callback') return promised(method, open.fd, ...args);
          return Object.values(await open[method](...args))[0];
        });
        console.log(' ', method, way, result, buffer.toString(), fs.readFileSync('copy', 'latin1'));
        await open.close();
      }
    }
  }
  fs.closeSync(fd);
  await handle.close();
})();
