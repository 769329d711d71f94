// rondo-test: scratch
'use strict';
// writeFile() replaces the whole content, whether the old one was longer or shorter. A failed step names its call.
const fs = require('fs');

const show = (error) => [error.message, error.code, error.syscall, error.path];

async function main() {
  for (const text of ['', 'longer than the last one', 'short', 'x'.repeat(100_000), 'y']) {
    await fs.promises.writeFile('a', text);
    console.log('promise', fs.readFileSync('a', 'utf8') === text, fs.statSync('a').size);
    await new Promise((resolve) => fs.writeFile('b', text, resolve));
    console.log('callback', fs.readFileSync('b', 'utf8') === text, fs.statSync('b').size);
  }
  await fs.promises.writeFile('bytes', new Uint16Array([1, 2, 3]).subarray(1), { mode: 0o600, flush: true });
  console.log(fs.readFileSync('bytes'), (fs.statSync('bytes').mode & 0o777).toString(8));
  fs.symlinkSync('a', 'link');
  await fs.promises.writeFile('link', 'through a link');
  console.log(fs.readFileSync('a', 'utf8'), fs.lstatSync('link').isSymbolicLink());
  for (const path of ['missing/file', '.', '/dev/full', 'a/file']) {
    await fs.promises.writeFile(path, 'text').catch((error) => console.log(show(error)));
    await new Promise((resolve) => fs.writeFile(path, 'text', (error) => {
      console.log(show(error));
      resolve();
    }));
  }
  await fs.promises.writeFile('/dev/null', 'text');
}
main();
