// rondo-test: scratch
'use strict';
// fs.cp() and its kin: what is copied, and what is refused.
const fs = require('fs');
const path = require('path');

function build() {
  fs.rmSync('work', { recursive: true, force: true });
  fs.mkdirSync('work/source/inner/most', { recursive: true });
  fs.writeFileSync('work/source/a', 'a');
  fs.writeFileSync('work/source/inner/b', 'b', { mode: 0o640 });
  fs.writeFileSync('work/source/inner/most/c', 'c', { mode: 0o400 });
  fs.symlinkSync('a', 'work/source/link');
  fs.symlinkSync('inner', 'work/source/folder-link');
  fs.symlinkSync('nowhere', 'work/source/broken');
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
    if (fs.existsSync('work/target') && fs.statSync('work/target').isDirectory()) show('work/target');
  }
}

function before(prepare, ...args) {
  return () => {
    prepare();
    return args;
  };
}

async function main() {
  await attempt('a file', () => ['work/source/a', 'work/deep/er/a']);
  console.log(fs.readFileSync('work/deep/er/a', 'utf8'));
  await attempt('a folder without recursive', () => ['work/source', 'work/target']);
  await attempt('a folder', () => ['work/source', 'work/target', { recursive: true }]);
  await attempt('links as they are', () => ['work/source', 'work/target', { recursive: true, verbatimSymlinks: true }]);
  await attempt('with a filter', () => ['work/source', 'work/target', {
    recursive: true, filter: (from) => !from.endsWith('most') && !from.endsWith('broken'),
  }]);
  await attempt('onto a folder that is there', before(() => fs.mkdirSync('work/target/inner', { recursive: true }) ||
    fs.writeFileSync('work/target/a', 'old'), 'work/source', 'work/target', { recursive: true }));
  await attempt('without force', before(() => {
    fs.mkdirSync('work/target');
    fs.writeFileSync('work/target/a', 'old');
  }, 'work/source/a', 'work/target/a', { force: false }));
  await attempt('without force, an error', before(() => {
    fs.mkdirSync('work/target');
    fs.writeFileSync('work/target/a', 'old');
  }, 'work/source/a', 'work/target/a', { force: false, errorOnExist: true }));
  await attempt('a folder that is there, an error', before(() => fs.mkdirSync('work/target'),
    'work/source', 'work/target', { force: false, errorOnExist: true, recursive: true }));
  await attempt('onto itself', () => ['work/source', 'work/source', { recursive: true }]);
  await attempt('into itself', () => ['work/source', 'work/source/inner/target', { recursive: true }]);
  await attempt('a folder onto a file', () => ['work/source', 'work/source/../source/a', { recursive: true }]);
  await attempt('a file onto a folder', () => ['work/source/a', 'work/source/inner']);
  await attempt('nothing', () => ['work/missing', 'work/target']);
  await attempt('a link', () => ['work/source/link', 'work/target']);
  await attempt('preserving times', before(() => fs.utimesSync('work/source/a', 1000, 2000),
    'work/source/a', 'work/times', { preserveTimestamps: true }));
  console.log(fs.statSync('work/times').mtimeMs);
  await attempt('a filter that promises', () => ['work/source', 'work/target', { recursive: true, filter: async () => true }]);
  for (const options of [1, null, { mode: 9 }, { mode: 'x' }, { force: 1 }, { filter: 1 }, { dereference: true, verbatimSymlinks: true }]) {
    await attempt(JSON.stringify(options), () => ['work/source/a', 'work/target', options]);
  }
  await attempt('no path', () => [1, 'work/target']);
}
main();
