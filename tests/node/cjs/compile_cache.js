// rondo-test: scratch
// module.enableCompileCache(): what it answers, and that a damaged file does no harm.
const fs = require('fs');
const path = require('path');
const module_ = require('module');
const { spawnSync } = require('child_process');
console.log(module_.constants.compileCacheStatus);
console.log(module_.getCompileCacheDir());
const { status, directory } = module_.enableCompileCache(path.resolve('cache'));
console.log(status, path.relative('.', directory));
console.log(module_.enableCompileCache().status, path.dirname(module_.getCompileCacheDir()) === directory);
try { module_.enableCompileCache(1); } catch (error) { console.log(error.code); }

fs.writeFileSync('program.js', "console.log('ran', [1, 2].map((x) => x * 2));");
const env = { ...process.env, NODE_COMPILE_CACHE: path.resolve('other') };
const run = () => console.log(spawnSync(process.execPath, ['program.js'], { env, encoding: 'utf8' }).stdout.trim());
const files = () => fs.globSync('other/*/*');
run();
console.log(files().length);
run();
for (const file of files()) {
  const bytes = fs.readFileSync(file);
  fs.writeFileSync(file, Buffer.concat([bytes.subarray(0, bytes.length - 9), Buffer.from('garbage')]));
}
run();
for (const file of files()) fs.writeFileSync(file, '');
run();
fs.writeFileSync('program.js', "console.log('ran, changed');");
run();
env.NODE_DISABLE_COMPILE_CACHE = '1';
run();
