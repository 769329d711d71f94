// rondo-test: scratch
const fs = require('fs');
fs.mkdirSync('real');
fs.writeFileSync('real/module.js', 'module.exports = __filename;');
fs.symlinkSync('real', 'link');
const cwd = process.cwd();
console.log(require(cwd + '/link/module.js') === require(cwd + '/real/module.js'), require(cwd + '/link/module.js'));
