// rondo-test: scratch
'use strict';
// fs.glob() and its kin: the same results from all three, in the same order.
const fs = require('fs');
const assert = require('assert');

for (const file of ['a.js', 'b.ts', '.hidden', 'src/index.js', 'src/util/one.js', 'src/util/two.ts', 'src/util/.dot.js',
  'src/util/deep/er/three.js', 'test/a.test.js', 'test/fixtures/a.js', 'x[1].js', 'lib/util/one.js']) {
  fs.mkdirSync(require('path').dirname(file), { recursive: true });
  fs.writeFileSync(file, '');
}
fs.symlinkSync('src', 'link');
fs.symlinkSync('..', 'src/up');
fs.symlinkSync('nowhere', 'broken');

const kPatterns = [
  '*', '*.js', '**', '**/*.js', '**/', 'src/**', 'src/**/*.ts', '{a,b}.{js,ts}', 'src/*', 'src/util/one.js', './*.js', './**/*.js',
  '**/util/*.js', '**/util/**', '**/..', '**/../a.js', 'src/../*.js', '.*', '**/.*', '!(a|b).*', '[ab].*', 'x\\[1\\].js', 'x[[]1].js',
  'missing', 'missing/*', '*/', '*/*/', '', '.', '..', 'src/', '**/deep/**/three.js', 'link/*', 'link/**', 'lib/?til/*',
  ['*.ts', '*.js'], [], '**/{one,two}.*', '@(src|lib)/**/one.js', '+(a|b).js', '**/fixtures/../*.js', '**/**/*.test.js', './', './src/./*',
];

async function all(pattern, options) {
  const sync = fs.globSync(pattern, options);
  const promised = await Array.fromAsync(fs.promises.glob(pattern, options));
  const called = await new Promise((resolve, reject) => {
    fs.glob(pattern, options ?? {}, (error, found) => (error ? reject(error) : resolve(found)));
  });
  assert.deepStrictEqual(promised, called);
  if (JSON.stringify(sync) !== JSON.stringify(called)) console.log('  sync differs:', JSON.stringify(sync));
  return called;
}

async function main() {
  for (const pattern of kPatterns) console.log(JSON.stringify(pattern), JSON.stringify(await all(pattern)));
  for (const options of [{ cwd: 'src' }, { cwd: new URL('src/', require('url').pathToFileURL(`${process.cwd()}/`)) }, { exclude: ['src/**'] },
    { exclude: ['**/util'] }, { exclude: ['*.js', 'lib'] }, { exclude: (name) => name === 'util' || name === 'src/util' }, { maxDepth: 0 },
    { maxDepth: 1 }, { maxDepth: 2 }, { followSymlinks: true }]) {
    console.log(options.cwd instanceof URL ? 'url' : options, JSON.stringify(await all('**/*.js', options)));
    console.log(JSON.stringify(await all('**', options)));
  }
  const entries = await all('{src/*,a.*}', { withFileTypes: true });
  console.log(entries.map((entry) => [entry.constructor.name, entry.name, entry.parentPath.replace(process.cwd(), '<cwd>'), entry.isFile(),
    entry.isDirectory(), entry.isSymbolicLink()].join(' ')));
  for (const args of [[1], [['a', 1]], [null], ['*', 1], ['*', { exclude: 1 }], ['*', { exclude: [1] }], ['*', { followSymlinks: 1 }],
    ['*', { maxDepth: -1 }], ['*', { maxDepth: 1.5 }], ['*', { cwd: 1 }]]) {
    try {
      console.log(fs.globSync(...args));
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }
}
main();
