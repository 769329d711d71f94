// Absolute paths, plain and not; and the functions that a program may put in place of the loader's.
const fs = require('fs');
const Module = require('module');
const folder = `${__dirname}/fixtures`;
const show = (request) => {
  try {
    console.log(request.replaceAll(__dirname, '.'), '->', require.resolve(request).replace(__dirname, '.'));
    require(request);
  } catch (error) {
    console.log(error.code, error.message.split('\n')[0].replaceAll(__dirname, '.'));
  }
};
show(`${folder}/counter.js`);
show(`${folder}/counter`);
show(`${folder}//counter.js`);
show(`${folder}/./order/../counter.js`);
show(`${folder}/with_main`);
show(`${folder}/with_main/`);
show(`${folder}/counter.js/`);
show(`${folder}/counter.js/.`);
show(`${folder}/nowhere.js`);
show(`${folder}/nowhere/nothing.js`);
show('/');
console.log(require(`${folder}/counter.js`) === require('./fixtures/counter'));
console.log(Object.keys(Module._pathCache).includes(`${folder}/counter.js\0`));

// Through a link it is the same module.
const link = fs.mkdtempSync('/tmp/rondo-absolute-');
fs.symlinkSync(folder, `${link}/folder`);
fs.symlinkSync(`${folder}/counter.js`, `${link}/file.js`);
console.log(require(`${link}/folder/counter.js`) === require(`${folder}/counter.js`));
console.log(require(`${link}/file.js`) === require(`${folder}/counter.js`));
fs.rmSync(link, { recursive: true });

const { _resolveLookupPaths, _findPath } = Module;
Module._resolveLookupPaths = function (request, parent) {
  console.log('_resolveLookupPaths', request.replace(__dirname, '.'), parent === module);
  return _resolveLookupPaths(request, parent);
};
require.resolve(`${folder}/counter.js`);
Module._resolveLookupPaths = _resolveLookupPaths;
Module._findPath = function (request, paths, isMain) {
  console.log('_findPath', request.replace(__dirname, '.'), paths.length > 0, isMain);
  return _findPath(request, paths, isMain);
};
require.resolve(`${folder}/counter.js`);
