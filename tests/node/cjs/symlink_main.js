// rondo-test: scratch
// The main file is known by its real path too.
const fs = require('fs');
fs.mkdirSync('real');
fs.writeFileSync('real/a.js', 'module.exports = require("./b.js");');
fs.writeFileSync('real/b.js', 'module.exports = "found beside the real file";');
fs.symlinkSync('real/a.js', 'a-link.js');
console.log(require(process.cwd() + '/a-link.js'));
