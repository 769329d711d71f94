const path = require('path');
console.log(module.paths.slice(0, 2).map((p) => path.relative(__dirname, p)));
console.log(module.filename === __filename, path.basename(module.path) === path.basename(__dirname), Object.keys(module));
console.log(module.constructor === require('module'), module.exports === exports, this === exports);
