// rondo-test: scratch
const fs = require('fs');
fs.mkdirSync('store/pkg', { recursive: true });
fs.mkdirSync('store/node_modules/dep', { recursive: true });
fs.mkdirSync('app/node_modules', { recursive: true });
fs.writeFileSync('store/pkg/index.js', 'module.exports = ["pkg", require("dep")];');
fs.writeFileSync('store/node_modules/dep/index.js', 'module.exports = "dep beside the real place";');
fs.symlinkSync('../../store/pkg', 'app/node_modules/pkg');
fs.writeFileSync('app/main.js', 'console.log(require("pkg"));');
require(process.cwd() + '/app/main.js');
