// rondo-test: scratch
// A Worker's options come from the variables that it is given.
const fs = require('fs');
const path = require('path');
const { Worker } = require('worker_threads');

fs.mkdirSync('real');
fs.writeFileSync('real/main.js', 'require("worker_threads").parentPort.postMessage(__filename);');
fs.symlinkSync('real', 'link');
const show = (name, options, next) => new Worker(path.resolve('link/main.js'), options)
  .on('message', (file) => console.log(name, path.basename(path.dirname(file))))
  .on('exit', next);
show('without', {}, () =>
  show('with', { env: { ...process.env, NODE_PRESERVE_SYMLINKS: '1', NODE_PRESERVE_SYMLINKS_MAIN: '1' } }, () =>
    show('not 1', { env: { NODE_PRESERVE_SYMLINKS_MAIN: 'yes' } }, () => {})));
