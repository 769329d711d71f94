// rondo-test: scratch
// Every function of fs with a path that is not there, a folder, a file in the place of a folder, and arguments of other types:
// at once, to a callback, and as a promise.
const fs = require('fs');
fs.writeFileSync('file', 'content');
fs.mkdirSync('folder/inner', { recursive: true });
fs.symlinkSync('nowhere', 'broken');
fs.symlinkSync('loop', 'loop');
const say = (what, error, value) => {
  const result = error ? `${error.name} ${error.code} ${error.message}${error.syscall ? ` (${error.syscall} ${error.path} ${error.dest})` : ''}` :
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : Array.isArray(value) ? value.join() : typeof value;
  return `${what}: ${result}`;
};
const rest = {
  access: [], appendFile: ['x'], chmod: [0o644], chown: [process.getuid(), process.getgid()], copyFile: ['copy'], cp: ['copied'], lchown: [process.getuid(), process.getgid()],
  link: ['linked'], lstat: [], lutimes: [1, 2], mkdir: [], open: ['r'], opendir: [], readFile: ['utf8'], readdir: [],
  readlink: [], realpath: [], rename: ['none/renamed'], rm: [], rmdir: [], stat: [], statfs: [], symlink: ['file'], truncate: [3],
  unlink: [], utimes: [1, 2], writeFile: ['x'],
};
const safe = new Set(['unlink', 'rm', 'rmdir', 'rename', 'symlink', 'writeFile', 'appendFile', 'cp', 'copyFile', 'mkdir', 'link', 'truncate']);
const paths = ['none/inside', 'none', 'file/inside', 'broken/x', 'loop', '', 'a'.repeat(300), 'nul\0', true, null, undefined, {}, Symbol.iterator];
const word = (path) => (typeof path === 'string' ? path.length > 99 ? 'long' : JSON.stringify(path) : typeof path === 'object' ? JSON.stringify(path) : String(path));
(async () => {
  for (const [name, args] of Object.entries(rest)) {
    for (const path of paths) {
      // What would make or remove something is only tried where it cannot.
      if (safe.has(name) && (path === 'none' || path === 'loop' && name !== 'writeFile')) continue;
      const what = `${name}(${word(path)})`;
      const all = [path, ...args];
      try {
        const value = fs[`${name}Sync`](...all);
        if (name === 'open') fs.closeSync(value);
        if (name === 'opendir') value.closeSync();
        console.log(say(`sync ${what}`, null, name === 'realpath' ? 'path' : name === 'open' ? 'fd' : value));
      } catch (error) {
        console.log(say(`sync ${what}`, error));
      }
      await new Promise((resolve) => {
        try {
          fs[name](...all, (error, value) => {
            if (!error && name === 'open') fs.closeSync(value);
            if (!error && name === 'opendir') value.closeSync();
            console.log(say(`callback ${what}`, error, name === 'realpath' ? 'path' : name === 'open' ? 'fd' : value));
            resolve();
          });
        } catch (error) {
          console.log(say(`throws ${what}`, error));
          resolve();
        }
      });
      await fs.promises[name](...all).then(async (value) => {
        if (name === 'open' || name === 'opendir') await value.close();
        console.log(say(`promise ${what}`, null, name === 'realpath' ? 'path' : value));
      }, (error) => console.log(say(`promise ${what}`, error)));
    }
  }
  for (const name of ['close', 'fchmod', 'fchown', 'fdatasync', 'fstat', 'fsync', 'ftruncate', 'futimes', 'read', 'readv', 'write', 'writev']) {
    const args = { fchmod: [0o600], fchown: [1, 1], futimes: [1, 1], read: [Buffer.alloc(1)], readv: [[Buffer.alloc(1)]], write: ['x'], writev: [[Buffer.alloc(1)]] }[name] ?? [];
    for (const fd of [9999, -1, 1.5, 'x', null, undefined, {}, 2 ** 32]) {
      try {
        console.log(say(`sync ${name}(${word(fd)})`, null, fs[`${name}Sync`](fd, ...args)));
      } catch (error) {
        console.log(say(`sync ${name}(${word(fd)})`, error));
      }
      await new Promise((resolve) => {
        try {
          fs[name](fd, ...args, (error, value) => { console.log(say(`callback ${name}(${word(fd)})`, error, value)); resolve(); });
        } catch (error) {
          console.log(say(`throws ${name}(${word(fd)})`, error));
          resolve();
        }
      });
    }
  }
})();
