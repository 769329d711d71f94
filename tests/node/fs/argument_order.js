// rondo-test: scratch
// Which of several bad arguments is complained about. Recorded from Node 26: 20 checks some in another order.
'use strict';
const fs = require('fs');

const callback = () => {};
fs.writeFileSync('file', 'content');

function attempt(method, ...args) {
  const words = args.map((arg) => (typeof arg === 'function' ? 'callback' : JSON.stringify(arg) ?? 'undefined'));
  const name = `${method}(${words.join(', ')})`;
  try {
    fs[method](...args);
    console.log(name, 'is fine');
  } catch (error) {
    console.log(name, error.code, error.message);
  }
}

async function attemptPromise(name, promise) {
  try {
    await promise();
    console.log(name, 'is fine');
  } catch (error) {
    console.log(name, error.code, error.message);
  }
}

// A descriptor and the callback.
for (const method of ['fsync', 'fdatasync', 'fstat', 'close', 'ftruncate']) {
  attempt(method, 'x', 5);
  attempt(method, 'x', callback);
  attempt(method, -1, 'x');
  attempt(method);
}
attempt('ftruncate', 'x', 1.5, 5);
attempt('ftruncate', 'x', 1, 5);
attempt('fchmod', 'x', 0o644, 5);
attempt('fchmod', 'x', 'x', 5);
attempt('fchown', 'x', 0, 0);
attempt('fchown', 'x', 'x', 0);
attempt('futimes', 'x', 1, 1, 5);
attempt('futimes', 'x', {}, 1, 5);
attempt('fstatSync', 'x', { bigint: true });
// A path and the callback.
for (const method of ['rm', 'mkdir', 'rmdir', 'stat', 'lstat', 'unlink', 'readdir', 'readlink', 'mkdtemp']) {
  attempt(method);
  attempt(method, callback);
  attempt(method, {}, 5);
  attempt(method, {}, {});
}
attempt('rm', {}, { force: 1 }, callback);
attempt('rm', 'x', { force: 1 }, callback);
attempt('mkdir', {}, { recursive: 'x' });
// Numbers that are not descriptors.
attempt('readFileSync', 2 ** 31);
attempt('readFile', 2 ** 31, callback);
attempt('writeFileSync', 2 ** 31, '');
attempt('appendFileSync', 2 ** 32 - 1, '');
// An offset of null is an object without options: the arguments behind it do not count.
const fd = fs.openSync('file', 'r+');
console.log(fs.readSync(fd, Buffer.alloc(3), null, 1, 1));
console.log(fs.readSync(fd, Buffer.alloc(3), null, -1, {}));
// An encoding that does not exist is UTF-8.
console.log(fs.writeSync(fd, 'é', 0, 'nonsense'));
fs.write(fd, 'é', 0, 'nonsense', async (error, written) => {
  console.log(error, written);
  fs.closeSync(fd);
  const handle = await fs.promises.open('file', 'r+');
  console.log((await handle.write('é', 0, 'nonsense')).bytesWritten);
  // Options of null, and what is not an object.
  for (const options of [null, 5, 'x', [], undefined, {}]) {
    const name = JSON.stringify(options) ?? 'undefined';
    await attemptPromise(`handle.stat(${name})`, () => handle.stat(options));
    await attemptPromise(`promises.stat(path, ${name})`, () => fs.promises.stat('file', options));
    await attemptPromise(`promises.lstat(path, ${name})`, () => fs.promises.lstat('file', options));
    await attemptPromise(`promises.lstat(no path, ${name})`, () => fs.promises.lstat({}, options));
  }
  await handle.close();
  for (const method of ['stat', 'lstat']) {
    await new Promise((resolve) => {
      fs[method]('file', null, (error, stats) => {
        console.log(method, error, stats.size);
        resolve();
      });
    });
  }
});
