// rondo-test: scratch
// What operations fail with: code, syscall, path, message. Recorded from Node 26: 20 differs in some.
'use strict';
const fs = require('fs');

const tries = [];
const add = (name, attempt) => tries.push([name, attempt]);
// The three forms of a method.
function three(method, ...args) {
  add(`${method}Sync(${args.map((arg) => JSON.stringify(arg))})`, async () => fs[`${method}Sync`](...args));
  add(`${method}(${args.map((arg) => JSON.stringify(arg))})`, () => new Promise((resolve, reject) => {
    fs[method](...args, (error, value) => (error ? reject(error) : resolve(value)));
  }));
  add(`promises.${method}(${args.map((arg) => JSON.stringify(arg))})`, async () => fs.promises[method](...args));
}

for (const path of ['dangling', 'loop', 'dangling/x', 'loop/x', 'file', 'file/x', 'dangling/', 'loop/', 'dangling/x/y']) {
  three('mkdir', path, { recursive: true });
}
for (const path of ['file/x', 'nope', 'nope/x', 'loop/x', 'dangling']) {
  three('stat', path, { throwIfNoEntry: false });
  three('lstat', path, { throwIfNoEntry: false });
}
three('copyFile', 'dir', 'nope/z');
three('copyFile', 'dir', 'dir/made');
three('copyFile', 'nope', 'z');
three('copyFile', 'file', 'dir');
for (const mode of [1.5, -1, 8, '1', null, NaN, Infinity, 2 ** 32, 4.9, {}, true]) three('access', 'file', mode);
three('readFile', 'dir');
three('readdir', 'file');
three('symlink', 'a', 'b', 'bad');

for (const seconds of [1e10, 9.3e9, 1.9999999, 0.1, 8e9, new Date(-1500), new Date(1e14)]) {
  add(`utimes ${Number(seconds)}`, async () => {
    fs.utimesSync('file', 5, seconds);
    const { mtimeMs, mtime } = fs.statSync('file');
    return `${mtimeMs} ${mtime.getTime()} ${fs.statSync('file', { bigint: true }).mtimeNs}`;
  });
}
add('mkdtempSync', async () => fs.mkdtempSync('nope/x'));
add('mkdtemp', () => fs.promises.mkdtemp('nope/x').catch((error) => {
  const isFilledIn = /^nope\/x[A-Za-z0-9]{6}$/.test(error.path) && error.path !== 'nope/xXXXXXX';
  return `${error.code} ${isFilledIn} ${error.message.includes(error.path)}`;
}));
for (const method of ['createReadStream', 'createWriteStream']) {
  add(`${method} of a closed handle`, async () => {
    const handle = await fs.promises.open('file');
    await handle.close();
    handle[method]();
  });
}
add('rm of a link with a slash', async () => {
  await fs.promises.rm('linkdir/', { recursive: true });
  return fs.readdirSync('dir').length;
});
add('readdir recursive', async () => fs.readdirSync('.', { recursive: true }).sort().join());

(async () => {
  fs.writeFileSync('file', 'x');
  fs.mkdirSync('dir/sub', { recursive: true });
  fs.symlinkSync('nowhere', 'dangling');
  fs.symlinkSync('loop', 'loop');
  fs.symlinkSync('dir', 'linkdir');
  for (const [name, attempt] of tries) {
    try {
      const value = await attempt();
      console.log(name, 'gives', value instanceof fs.Stats ? 'stats' : value);
    } catch (error) {
      console.log(name, 'fails:', error.code, error.syscall, error.path, error.dest, error.message);
    }
  }
})();
