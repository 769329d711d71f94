'use strict';
const { mkdirSync, readdirSync, writeFileSync } = require('node:fs');
const { execFileSync } = require('node:child_process');
const webpack = require('webpack');

mkdirSync('src');
writeFileSync('src/index.js', `import { a } from './a.js';\nconst data = require('./data.json');\n
console.log(a, data.list.length, VERSION);\nimport('./later.js').then(({ later }) => console.log(later));\n`);
writeFileSync('src/a.js', 'export const a = "a"; export const unused = "never seen";\n');
writeFileSync('src/later.js', 'export const later = "later";\n');
writeFileSync('src/data.json', '{ "list": [1, 2, 3] }');
writeFileSync('src/shout.js', 'module.exports = (text) => text.replace(/"a"/, \'"A!"\');\n');

function build(mode) {
  const compiler = webpack({
    mode,
    target: 'node',
    context: process.cwd(),
    entry: './src/index.js',
    devtool: mode === 'production' ? 'source-map' : false,
    output: { path: `${process.cwd()}/${mode}` },
    module: { rules: [{ test: /a\.js$/, use: `${process.cwd()}/src/shout.js` }] },
    plugins: [new webpack.DefinePlugin({ VERSION: JSON.stringify('1.2') })],
    cache: mode === 'development' ? { type: 'filesystem', cacheDirectory: `${process.cwd()}/cache` } : false,
  });
  return new Promise((resolve, reject) => compiler.run((error, stats) => {
    compiler.close(() => (error ? reject(error) : resolve(stats)));
  }));
}

async function main() {
  // Production minimises in workers; the second build of development comes from the cache.
  for (const mode of ['production', 'development', 'development']) {
    const stats = await build(mode);
    const { errors, warnings, assets, modules } = stats.toJson();
    console.log(mode, errors, warnings, assets.map((asset) => asset.name).sort(), modules.map((module) => module.name).sort());
    console.log(execFileSync(process.execPath, [`${mode}/main.js`], { encoding: 'utf8' }));
  }
  console.log(readdirSync('production').sort());
  writeFileSync('src/index.js', 'import "./missing.js"; let = 1');
  const { errors } = (await build('development')).toJson();
  console.log(errors.map((error) => error.message.split('\n').slice(0, 2).join(' ').replaceAll(process.cwd(), '')));
}
main();
