// rondo-test: scratch
'use strict';
// fs.cp() and its kin: what is copied, and what is refused.
const fs = require('fs');
const path = require('path');

function build() {
  fs.rmSync('copies', { recursive: true, force: true });
  fs.mkdirSync('copies/source/inner/most', { recursive: true });
  fs.writeFileSync('copies/source/a', 'a');
  fs.writeFileSync('copies/source/inner/b', 'b', { mode: 0o640 });
  fs.writeFileSync('copies/source/inner/most/c', 'c', { mode: 0o400 });
  fs.symlinkSync('a', 'copies/source/link');
  fs.symlinkSync('inner', 'copies/source/folder-link');
  fs.symlinkSync('nowhere', 'copies/source/broken');
}

function show(folder) {
  for (const name of fs.readdirSync(folder, { recursive: true }).sort()) {
    const file = path.join(folder, name);
    const stats = fs.lstatSync(file);
    let what = stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? `-> ${fs.readlinkSync(file)}` : fs.readFileSync(file, 'utf8');
    what = what.replace(process.cwd(), '<cwd>');
    console.log(`  ${name} ${stats.isSymbolicLink() ? '' : (stats.mode & 0o777).toString(8)} ${what}`);
  }
}

function describe(error) {
  return [error.name, error.code, error.message, error.errno, error.syscall, error.path].join('|').replaceAll(process.cwd(), '<cwd>');
}

async function attempt(title, args) {
  for (const [name, copy] of [
    ['cpSync', () => fs.cpSync(...args())],
    ['promises.cp', () => fs.promises.cp(...args())],
    ['cp', () => new Promise((resolve, reject) => fs.cp(...args(), (error) => (error ? reject(error) : resolve())))],
  ]) {
    build();
    console.log(`== ${title}, ${name}`);
    try {
      console.log(await copy());
    } catch (error) {
      console.log(describe(error));
    }
    if (fs.existsSync('copies/target') && fs.statSync('copies/target').isDirectory()) show('copies/target');
  }
}

function before(prepare, ...args) {
  return () => {
    prepare();
    return args;
  };
}

async function main() {
  await attempt('a file', () => ['copies/source/a', 'copies/deep/er/a']);
  console.log(fs.readFileSync('copies/deep/er/a', 'utf8'));
  await attempt('a folder without recursive', () => ['copies/source', 'copies/target']);
  await attempt('a folder', () => ['copies/source', 'copies/target', { recursive: true }]);
  await attempt('links as they are', () => ['copies/source', 'copies/target', { recursive: true, verbatimSymlinks: true }]);
  await attempt('with a filter', () => ['copies/source', 'copies/target', {
    recursive: true, filter: (from) => !from.endsWith('most') && !from.endsWith('broken'),
  }]);
  await attempt('onto a folder that is there', before(() => fs.mkdirSync('copies/target/inner', { recursive: true }) ||
    fs.writeFileSync('copies/target/a', 'old'), 'copies/source', 'copies/target', { recursive: true }));
  await attempt('without force', before(() => {
    fs.mkdirSync('copies/target');
    fs.writeFileSync('copies/target/a', 'old');
  }, 'copies/source/a', 'copies/target/a', { force: false }));
  await attempt('without force, an error', before(() => {
    fs.mkdirSync('copies/target');
    fs.writeFileSync('copies/target/a', 'old');
  }, 'copies/source/a', 'copies/target/a', { force: false, errorOnExist: true }));
  await attempt('a folder that is there, an error', before(() => fs.mkdirSync('copies/target'),
    'copies/source', 'copies/target', { force: false, errorOnExist: true, recursive: true }));
  await attempt('onto itself', () => ['copies/source', 'copies/source', { recursive: true }]);
  await attempt('into itself', () => ['copies/source', 'copies/source/inner/target', { recursive: true }]);
  await attempt('a folder onto a file', () => ['copies/source', 'copies/source/../source/a', { recursive: true }]);
  await attempt('a file onto a folder', () => ['copies/source/a', 'copies/source/inner']);
  await attempt('nothing', () => ['copies/missing', 'copies/target']);
  await attempt('a link', () => ['copies/source/link', 'copies/target']);
  await attempt('preserving times', before(() => fs.utimesSync('copies/source/a', 1000, 2000),
    'copies/source/a', 'copies/times', { preserveTimestamps: true }));
  console.log(fs.statSync('copies/times').mtimeMs);
  await attempt('a filter that promises', () => ['copies/source', 'copies/target', { recursive: true, filter: async () => true }]);
  for (const options of [1, null, { mode: 9 }, { mode: 'x' }, { force: 1 }, { filter: 1 }, { dereference: true, verbatimSymlinks: true }]) {
    await attempt(JSON.stringify(options), () => ['copies/source/a', 'copies/target', options]);
  }
  await attempt('no path', () => [1, 'copies/target']);
}
main();
