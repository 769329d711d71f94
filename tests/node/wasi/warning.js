// The module warns once, when it is loaded.
require('wasi');
require('node:wasi');
console.log(require('module').isBuiltin('wasi'), require('module').builtinModules.includes('wasi'));
